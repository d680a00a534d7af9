import type { QueryClient } from '@tanstack/react-query';
import { perClient } from '@/lib/per-client';

/** Deals that this page is removing. */
const removalsOf = perClient(() => new Set<string>());

/** Marks a deal as being removed until `call` is answered. */
export async function whileRemoving<T>(queryClient: QueryClient, id: string, call: () => Promise<T>): Promise<T> {
  removalsOf(queryClient).add(id);
  try {
    return await call();
  } finally {
    removalsOf(queryClient).delete(id);
  }
}

/** Whether this page is removing the deal. The event of it may come before the answer, and the deal cannot be fetched any more. */
export function isBeingRemoved(queryClient: QueryClient, id: string): boolean {
  return removalsOf(queryClient).has(id);
}
