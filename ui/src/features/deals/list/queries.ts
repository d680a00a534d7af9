import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import type { Deal } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, sendList } from '@/lib/api';
import { nextPage, type RowPages, withoutRow } from '@/lib/rows';
import { STATUSES_OF } from './tab-statuses';
import type { Tab } from './tabs';

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
