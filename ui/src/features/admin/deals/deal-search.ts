import type { DealStatus } from '@/api/contract';
import { pageNumber } from '@/lib/paging';

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

/** The address of the deals: `tab` is absent for all of them, `dealId` is what was searched for, `review` the deal whose drawer is open. */
export type DealSearch = { tab?: 'decide'; status?: DealStatus; dealId?: string; page?: number; review?: string };

export function dealSearch(search: Record<string, unknown>): DealSearch {
  const decide = search.tab === 'decide';
  const status = DEAL_STATUSES.find((known) => known === search.status);
  return {
    ...(decide ? { tab: 'decide' } : {}),
    ...(status && !decide ? { status } : {}),
    ...(typeof search.dealId === 'string' && search.dealId !== '' && !decide ? { dealId: search.dealId } : {}),
    ...pageNumber(search.page),
    ...(typeof search.review === 'string' ? { review: search.review } : {}),
  };
}
