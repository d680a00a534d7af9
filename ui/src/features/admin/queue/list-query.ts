import { hashKey, type QueryKey, queryOptions } from '@tanstack/react-query';
import { pollEvery } from '@/lib/realtime/live';
import type { Rows } from '@/lib/rows';

export const LIST_PAGE_SIZE = 10;

/** The interval for lists without socket events. */
export const POLL = 15_000;

export const pollQueue = () => pollEvery(POLL);

/** Keeps the rows while another page loads, but not when the filters change. */
const keepChoice =
  (choice: unknown) =>
  <D>(previous: D | undefined, query: { queryKey: readonly unknown[] } | undefined): D | undefined =>
    query?.queryKey.some((part) => hashKey([part]) === hashKey([choice])) ? previous : undefined;

type ListOptions<D> = {
  key: QueryKey;
  choice?: object;
  page?: number | undefined;
  refetchInterval?: typeof pollQueue | number;
  load: (paged: { page: number; limit: number }, signal: AbortSignal) => Promise<D>;
};

export function listQuery<D extends Rows<unknown>>(options: ListOptions<D>) {
  const { key, choice = {}, page = 1, refetchInterval = pollQueue, load } = options;
  return queryOptions({
    queryKey: [...key, choice, page],
    queryFn: ({ signal }): Promise<D> => load({ page, limit: LIST_PAGE_SIZE }, signal),
    refetchInterval,
    placeholderData: keepChoice(choice),
    // The page shows failures; a toast every 15 seconds would not help.
    meta: { quiet: true },
  });
}
