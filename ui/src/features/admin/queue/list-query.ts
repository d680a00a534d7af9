import { hashKey, type QueryKey, queryOptions } from '@tanstack/react-query';
import { pollEvery } from '@/lib/realtime/live';
import type { Rows } from '@/lib/rows';

export const LIST_PAGE_SIZE = 10;

/** How soon a list is asked for again whose changes the socket does not tell. */
export const POLL = 15_000;

/** How soon a queue is asked for again. */
export const pollQueue = () => pollEvery(POLL);

/** The rows of another page stay until the next page is there; those of another choice, which is a part of the key, do not. */
const keepChoice =
  (choice: unknown) =>
  <D>(previous: D | undefined, query: { queryKey: readonly unknown[] } | undefined): D | undefined =>
    query?.queryKey.some((part) => hashKey([part]) === hashKey([choice])) ? previous : undefined;

type ListOptions<D> = {
  key: QueryKey;
  /** What the address chooses among the rows, as a part of the key. */
  choice?: object;
  page?: number | undefined;
  refetchInterval?: typeof pollQueue | number;
  load: (paged: { page: number; limit: number }, signal: AbortSignal) => Promise<D>;
};

/** A page of a list of the admin area. */
export function listQuery<D extends Rows<unknown>>(options: ListOptions<D>) {
  const { key, choice = {}, page = 1, refetchInterval = pollQueue, load } = options;
  return queryOptions({
    queryKey: [...key, choice, page],
    queryFn: ({ signal }): Promise<D> => load({ page, limit: LIST_PAGE_SIZE }, signal),
    refetchInterval,
    placeholderData: keepChoice(choice),
    // The page says that it could not load or refresh; a toast every 15 seconds would not help.
    meta: { quiet: true },
  });
}
