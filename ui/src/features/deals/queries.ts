import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, send, sendList } from '@/lib/api';
import { dealTabs } from '@/lib/deal-lists';
import { nextPage } from '@/lib/rows';
import { STATUSES_OF } from './deal';
import type { Tab } from './tabs';

export const TAB_PAGE = 20;

/** The deals of a tab, newest first. */
export function dealTabQuery(tab: Tab) {
  return infiniteQueryOptions({
    queryKey: [...dealTabs, tab] as const,
    queryFn: ({ pageParam: page, signal }) =>
      sendList(api.GET('/deals/my-deals', { params: { query: { status: STATUSES_OF[tab], page, limit: TAB_PAGE } }, signal })),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });
}

/** Users whose name contains the text; never oneself. */
export function userSearchQuery(text: string) {
  return queryOptions({
    queryKey: ['users', 'search', text] as const,
    queryFn: ({ signal }) => send(api.GET('/wallet/search', { params: { query: { query: text } }, signal })),
    staleTime: 30_000,
    // A person is waiting with the next letter: failing at once beats trying for seconds.
    retry: false,
  });
}
