import { useEffect } from 'react';
import { prefetch } from '@/lib/prefetch';

/** Loads code that is needed soon, after mounting. `load` must be stable. */
export function useAhead(load: () => Promise<unknown>): void {
  useEffect(() => prefetch(load()), [load]);
}
