import type { QueryClient } from '@tanstack/react-query';
import { perClient } from '@/lib/per-client';

const removalsOf = perClient(() => new Set<string>());

/** Call it before the removal: the event may arrive before the response. */
export function markRemoval(queryClient: QueryClient, id: string): void {
  removalsOf(queryClient).add(id);
}

/** Call it if the deal was not removed. */
export function unmarkRemoval(queryClient: QueryClient, id: string): void {
  removalsOf(queryClient).delete(id);
}

/** Reports whether this page removes the deal, which must then not be fetched any more. */
export function isRemoved(queryClient: QueryClient, id: string): boolean {
  return removalsOf(queryClient).has(id);
}
