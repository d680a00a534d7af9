import { oneOf, type SearchOf, searchParams, words } from '@/lib/search-params';
import { QUEUE } from '../queue/queue-search';

export const DEPOSIT_METHODS = ['Bkash', 'Nagad'] as const;
export const DEPOSIT_SORTS = ['oldest', 'newest', 'largest'] as const;

/** The server's bounds. */
export const MIN_SEARCH = 2;
export const MAX_SEARCH = 50;

/** What was searched for, as far as the server reads it. */
const search = (value: unknown): string | undefined => {
  const text = words(value)?.slice(0, MAX_SEARCH).trim();
  return text && text.length >= MIN_SEARCH ? text : undefined;
};

/** The address of the queue of deposits: what is searched for, and the order, if it is not the usual one. */
export const depositQueueSearch = searchParams({
  ...QUEUE,
  search,
  method: oneOf(DEPOSIT_METHODS),
  sort: oneOf(DEPOSIT_SORTS),
});
export type DepositQueueSearch = SearchOf<typeof depositQueueSearch>;
