import { useEffect } from 'react';
import { prefetch } from '@/lib/prefetch';

/** Fetches code that will be wanted soon, once what needs it is on the page. `load` is the same function in each render. */
export function useAhead(load: () => Promise<unknown>): void {
  useEffect(() => prefetch(load()), [load]);
}
