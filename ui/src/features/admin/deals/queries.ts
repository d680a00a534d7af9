import { queryOptions } from '@tanstack/react-query';
import type { Deal } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send, sendList } from '@/lib/api';
import { pollEvery } from '@/lib/realtime/live';
import { listQuery, pollQueue } from '../queue/list-query';
import type { ListSearch } from '../queue/list-search';
import type { DealSearch } from './deal-search';

const IN_FLIGHT_POLL = 3_000;
// The pages say it themselves, in their place.
const meta = { quiet: true };

/** A page of the deals that an address chooses. */
export const adminDealsQuery = ({ tab, status, dealId, page }: DealSearch) => {
  const choice = { ...(tab ? { escalated: true } : {}), ...(status ? { status } : {}), ...(dealId ? { dealId } : {}) };
  return listQuery({
    key: keys.adminDeals,
    choice,
    page,
    load: (paged, signal) => sendList(api.GET('/admin/deals', { params: { query: { ...choice, ...paged } }, signal })),
  });
};

/** Since when a deal waits for an admin's decision; null when it does not. */
export function waitingSince({ escalatedAt, suspendedAt }: Deal): string | null {
  if (escalatedAt === null || suspendedAt === null) return escalatedAt ?? suspendedAt;
  return Date.parse(escalatedAt) < Date.parse(suspendedAt) ? escalatedAt : suspendedAt;
}

/** How many deals wait for an admin's decision, and since when the first of them. */
export const dealsToDecideQuery = queryOptions({
  queryKey: [...keys.adminDeals, 'to-decide'],
  queryFn: async ({ signal }) => {
    const query = { escalated: true, page: 1, limit: 1 };
    const { rows, total } = await sendList(api.GET('/admin/deals', { params: { query }, signal }));
    return { total, oldest: rows[0] && (waitingSince(rows[0]) ?? undefined) };
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
export const supportQuery = ({ page }: ListSearch) =>
  listQuery({
    key: [...keys.adminSupport, 'page'],
    page,
    load: (query, signal) => sendList(api.GET('/admin/support-request', { params: { query }, signal })),
  });

/** How many support requests are open, and the oldest of them: a hundred, or as many as fit into an answer. */
export const openSupportQuery = queryOptions({
  queryKey: [...keys.adminSupport, 'open'],
  queryFn: ({ signal }) =>
    sendList(api.GET('/admin/support-request', { params: { query: { open: true, page: 1, limit: 100 } }, signal })),
  refetchInterval: pollQueue,
  meta,
});
