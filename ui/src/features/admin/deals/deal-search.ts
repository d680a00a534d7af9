import type { DealStatus } from '@/api/contract';
import { oneOf, type SearchOf, searchParams, text } from '@/lib/search-params';
import { LIST } from '../queue/list-search';

export const DEAL_STATUSES: readonly DealStatus[] = [
  'Pending',
  'Active',
  'Late',
  'Delivered',
  'Completed',
  'Cancelled',
  'Cancelled by Buyer',
  'Cancelled by Seller',
];

/** No `tab` means all deals. The tab of waiting deals has no filters. */
export const dealSearch = searchParams(
  { tab: oneOf(['decide']), status: oneOf(DEAL_STATUSES), dealId: text, ...LIST },
  ({ tab }) => (tab ? ['status', 'dealId'] : []),
);
export type DealSearch = SearchOf<typeof dealSearch>;
