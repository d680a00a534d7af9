import { Component, type ComponentType, lazy, type ReactNode, startTransition, useEffect, useEffectEvent, useState } from 'react';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { errorAdvice, errorText } from '@/lib/errors';
import { notify } from '@/lib/toast';
import { LoadFailed } from './load-failed';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/** The code of a part could not be loaded; `cause` says why. Errors of the part itself are left to the page. */
class PartMissing extends Error {}

type FailedProps = { cause: unknown; load: () => Promise<unknown>; onLoaded: () => void };

/** Why a part is missing, and Retry, which a network that is back presses by itself. */
function PartFailed({ cause, load, onLoaded }: FailedProps) {
  const c = useTexts(common);
  const [busy, setBusy] = useState(false);
  const [gone, setGone] = useState(false);
  const retry = () => {
    setBusy(true);
    load().then(onLoaded, () => {
      setBusy(false);
      // Removed by a deploy, or a browser that asks only once. Only the reader knows whether something typed would be lost.
      setGone(navigator.onLine);
    });
  };
  const retryNow = useEffectEvent(retry);
  useEffect(() => {
    window.addEventListener('online', retryNow);
    return () => window.removeEventListener('online', retryNow);
  }, []);
  return gone ? (
    <LoadFailed error={cause} action={c('reload')} onRetry={() => window.location.reload()} />
  ) : (
    <LoadFailed error={cause} busy={busy} onRetry={retry} />
  );
}

type BoundaryProps = {
  part: () => ReactNode;
  onMissing: (cause: unknown) => void;
  failed: (cause: unknown, reset: () => void) => ReactNode;
};

class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: null as unknown };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override componentDidCatch(error: unknown) {
    if (error instanceof PartMissing) this.props.onMissing(error.cause);
  }
  reset = () => startTransition(() => this.setState({ error: null }));
  override render() {
    const { error } = this.state;
    if (error === null) return this.props.part();
    if (!(error instanceof PartMissing)) throw error;
    return this.props.failed(error.cause, this.reset);
  }
}

/**
 * A part of the page whose code is loaded when it is rendered; the caller's Suspense is shown until then. If it cannot be loaded, the page stays as it
 * is, with Retry in the part's place. A part that a press opens has no place: a toast tells, and `takeBack` closes it, so that the next press tries again.
 */
export function lazyPart<P extends object>(load: Load<P>, takeBack?: (props: P) => void): ComponentType<P> {
  const begin = () =>
    lazy(() =>
      load().catch((cause: unknown) => {
        throw new PartMissing('', { cause });
      }),
    ) as ComponentType<P>;
  let Part = begin();
  const onMissing = (cause: unknown, props: P) => {
    Part = begin(); // React remembers that the first one failed
    if (!takeBack) return;
    notify.error(errorText(cause), errorAdvice(cause) ?? undefined);
    takeBack(props);
  };
  return function LazyPart(props: P) {
    return (
      <PartBoundary
        part={() => <Part {...props} />}
        onMissing={(cause) => onMissing(cause, props)}
        failed={(cause, reset) => (takeBack ? null : <PartFailed cause={cause} load={load} onLoaded={reset} />)}
      />
    );
  };
}
