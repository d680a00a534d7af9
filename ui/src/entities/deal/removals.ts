import type { QueryClient } from '@tanstack/react-query';
import { perClient } from '@/lib/per-client';

/** Deals that this page is removing or has removed. */
const removalsOf = perClient(() => new Set<string>());

/** Marks a deal before the call that removes it: the event may come before the answer, or before the page has left the deal. */
export function markRemoval(queryClient: QueryClient, id: string): void {
  removalsOf(queryClient).add(id);
}

/** The deal is still there: the call failed, or ended in another way. */
export function unmarkRemoval(queryClient: QueryClient, id: string): void {
  removalsOf(queryClient).delete(id);
}

/** Whether this page has removed the deal, or is about to: it must not be asked for any more. */
export function isRemoved(queryClient: QueryClient, id: string): boolean {
  return removalsOf(queryClient).has(id);
}
