import { oneOf, type SearchOf, searchParams, words } from '@/lib/search-params';
import { QUEUE } from '../queue/queue-search';

export const DEPOSIT_METHODS = ['Bkash', 'Nagad'] as const;
export const PAYERS = ['credited', 'never_credited', 'verified', 'unverified'] as const;
export const DEPOSIT_SORTS = ['oldest', 'newest', 'largest'] as const;

/** The address of the queue of deposits: what is searched for, and the order, if it is not the usual one. */
export const depositQueueSearch = searchParams({
  ...QUEUE,
  search: words,
  method: oneOf(DEPOSIT_METHODS),
  payer: oneOf(PAYERS),
  sort: oneOf(DEPOSIT_SORTS),
});
export type DepositQueueSearch = SearchOf<typeof depositQueueSearch>;
