import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { errorAdvice, errorText } from '@/lib/errors';
import { preload } from '@/lib/prefetch';
import { notify } from '@/lib/toast';

type Late<P> = { Part: ComponentType<P> };

/**
 * A part whose code is loaded once `wanted`; null until then. If loading fails, a toast says so and
 * `onFailed` resets the state that asked for it, so that the next press tries again.
 */
export function useLatePart<P>(
  load: () => Promise<{ default: ComponentType<P> }>,
  wanted: boolean,
  onFailed: () => void,
): Late<P> | null {
  const [late, setLate] = useState<Late<P> | null>(null);
  const fail = useEffectEvent((error: unknown) => {
    notify.error(errorText(error), errorAdvice(error) ?? undefined);
    onFailed();
  });
  const missing = wanted && late === null;
  useEffect(() => {
    if (!missing) return;
    let current = true;
    load().then(
      ({ default: Part }) => {
        if (current) setLate({ Part });
      },
      (error: unknown) => {
        if (current) fail(error);
      },
    );
    return () => {
      current = false;
    };
  }, [missing, load]);
  return late;
}

/** Loads code that is needed soon, after mounting. `load` must be stable. */
export function useAhead(load: () => Promise<unknown>): void {
  useEffect(() => preload(load), [load]);
}
