import { queryOptions } from '@tanstack/react-query';
import { api, send, sendList } from '@/lib/api';
import { keys } from '@/lib/queries';
import { pollEvery } from '@/lib/realtime/live';
import type { DealSearch } from './deal-search';
import { keepChoice, PAGE_SIZE, pollQueue } from './queries';

const IN_FLIGHT_POLL = 3_000;
/** The most rows that the server gives at once. */
export const MOST_ROWS = 100;
// The pages say it themselves, in their place.
const meta = { quiet: true };

/** A page of the deals that an address chooses. */
export const adminDealsQuery = ({ tab, status, dealId, page = 1 }: DealSearch) => {
  const filter = { ...(tab ? { escalated: true } : {}), ...(status ? { status } : {}), ...(dealId ? { dealId } : {}) };
  return queryOptions({
    queryKey: [...keys.adminDeals, filter, page],
    queryFn: ({ signal }) =>
      sendList(api.GET('/admin/deals', { params: { query: { ...filter, page, limit: PAGE_SIZE } }, signal })),
    refetchInterval: pollQueue,
    placeholderData: keepChoice(filter),
    meta,
  });
};

/** How many deals wait for an admin's decision, and since when the first of them. */
export const dealsToDecideQuery = queryOptions({
  queryKey: [...keys.adminDeals, 'to-decide'],
  queryFn: async ({ signal }) => {
    const query = { escalated: true, page: 1, limit: 1 };
    const { rows, total } = await sendList(api.GET('/admin/deals', { params: { query }, signal }));
    return { total, oldest: rows[0]?.escalatedAt ?? undefined };
  },
  refetchInterval: pollQueue,
  meta,
});

/** One deal with its timeline, as every admin may see it. */
export const adminDealQuery = (id: string) =>
  queryOptions({
    queryKey: keys.deal(id),
    queryFn: ({ signal }) => send(api.GET('/deals/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.operation ? pollEvery(IN_FLIGHT_POLL) : pollQueue()),
    meta,
  });

/** A page of the support requests: open ones first, the oldest of them first. */
export const supportQuery = (page: number) =>
  queryOptions({
    queryKey: [...keys.adminSupport, 'page', page],
    queryFn: ({ signal }) =>
      sendList(api.GET('/admin/support-request', { params: { query: { page, limit: PAGE_SIZE } }, signal })),
    refetchInterval: pollQueue,
    placeholderData: keepChoice('page'),
    meta,
  });

/** The open support requests, the oldest first; of very many the first 100. */
export const openSupportQuery = queryOptions({
  queryKey: [...keys.adminSupport, 'open'],
  queryFn: async ({ signal }) => {
    const { rows } = await sendList(
      api.GET('/admin/support-request', { params: { query: { page: 1, limit: MOST_ROWS } }, signal }),
    );
    return rows.filter(({ closedAt }) => closedAt === null);
  },
  refetchInterval: pollQueue,
  meta,
});
