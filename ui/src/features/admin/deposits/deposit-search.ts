import { oneOf, type SearchOf, searchParams, words } from '@/lib/search-params';
import { QUEUE } from '../queue/queue-search';

export const DEPOSIT_METHODS = ['Bkash', 'Nagad'] as const;
export const PAYERS = ['credited', 'never_credited', 'verified', 'unverified'] as const;
export const DEPOSIT_SORTS = ['oldest', 'newest', 'largest'] as const;

export const depositQueueSearch = searchParams({
  ...QUEUE,
  search: words,
  method: oneOf(DEPOSIT_METHODS),
  payer: oneOf(PAYERS),
  sort: oneOf(DEPOSIT_SORTS),
});
export type DepositQueueSearch = SearchOf<typeof depositQueueSearch>;
