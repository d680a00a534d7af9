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

/** The address of the deals: `tab` is absent for all of them, `dealId` is what was searched for. All that wait for a decision are shown. */
export const dealSearch = searchParams(
  { tab: oneOf(['decide']), status: oneOf(DEAL_STATUSES), dealId: text, ...LIST },
  ({ tab }) => (tab ? ['status', 'dealId'] : []),
);
export type DealSearch = SearchOf<typeof dealSearch>;
