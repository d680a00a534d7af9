import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import type { Deal, DealStatus, DealTotals } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, sendList } from '@/lib/api';
import { nextPage, type RowPages, withoutRow } from '@/lib/rows';
import { TABS, type Tab } from './tabs';

const STATUSES_OF: Record<Tab, DealStatus[]> = {
  pending: ['Pending'],
  active: ['Active'],
  late: ['Late'],
  delivered: ['Delivered'],
  completed: ['Completed'],
  cancelled: ['Cancelled', 'Cancelled by Buyer', 'Cancelled by Seller'],
};

export const STATUS_OF: Record<Tab, DealStatus> = {
  pending: 'Pending',
  active: 'Active',
  late: 'Late',
  delivered: 'Delivered',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

export function countByTab({ statuses }: Pick<DealTotals, 'statuses'>): Record<Tab, number> {
  const tabs = { pending: 0, active: 0, late: 0, delivered: 0, completed: 0, cancelled: 0 };
  for (const tab of TABS) {
    for (const { status, deals } of statuses) if (STATUSES_OF[tab].includes(status)) tabs[tab] += deals;
  }
  return tabs;
}

/** The first tab with deals, for an address without one. */
export function firstTab(tabs: Record<Tab, number>): Tab {
  return TABS.find((tab) => tabs[tab] > 0) ?? 'pending';
}

const dealTabs = [...keys.dealList, 'tab'] as const;

export const TAB_PAGE = 20;

export function dealTabQuery(tab: Tab) {
  return infiniteQueryOptions({
    queryKey: [...dealTabs, tab] as const,
    queryFn: ({ pageParam: page, signal }) =>
      sendList(api.GET('/deals/my-deals', { params: { query: { status: STATUSES_OF[tab], page, limit: TAB_PAGE } }, signal })),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });
}

export function removeDealFromTabs(queryClient: QueryClient, id: string): void {
  queryClient.setQueriesData<RowPages<Deal>>({ queryKey: dealTabs }, (data) => withoutRow(data, id));
}
