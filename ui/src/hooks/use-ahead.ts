import { useEffect } from 'react';
import { preload } from '@/lib/prefetch';

/** Loads code that is needed soon, after mounting. `load` must be stable. */
export function useAhead(load: () => Promise<unknown>): void {
  useEffect(() => preload(load), [load]);
}
