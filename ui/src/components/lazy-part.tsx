import { Component, type ComponentType, lazy, type ReactNode, startTransition, useEffect, useEffectEvent, useState } from 'react';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { errorAdvice, errorText } from '@/lib/errors';
import { notify } from '@/lib/toast';
import { LoadFailed } from './load-failed';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/** Loading the code failed because of `cause`. Errors of the part itself are left to the page. */
class PartMissing extends Error {}

type FailedProps = { cause: unknown; load: () => Promise<unknown>; onLoaded: () => void };

/** The reason and Retry, which runs by itself once the browser is online. */
function PartFailed({ cause, load, onLoaded }: FailedProps) {
  const t = useTexts(common);
  const [busy, setBusy] = useState(false);
  const [gone, setGone] = useState(false);
  const retry = () => {
    setBusy(true);
    load().then(onLoaded, () => {
      setBusy(false);
      // The chunk is gone, or the browser caches the failure. Only the user knows whether a reload
      // would lose input.
      setGone(navigator.onLine);
    });
  };
  const retryNow = useEffectEvent(retry);
  useEffect(() => {
    window.addEventListener('online', retryNow);
    return () => window.removeEventListener('online', retryNow);
  }, []);
  return gone ? (
    <LoadFailed error={cause} action={t('reload')} onRetry={() => window.location.reload()} />
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
 * A lazy component; the caller's Suspense shows until its code is loaded. If that fails, the page
 * stays and Retry takes the part's place. A part opened by a press has no place: a toast reports
 * the failure, and `takeBack` closes the part so that the next press tries again.
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
    Part = begin(); // React caches the failure of the first one
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
