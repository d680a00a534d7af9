import { queryOptions } from '@tanstack/react-query';
import type { Deal } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send, sendList } from '@/lib/api';
import { pollEvery } from '@/lib/realtime/live';
import type { DealSearch, SupportSearch } from '../admin-search';
import { listQuery, pollQueue } from '../queue/list-query';

const IN_FLIGHT_POLL = 3_000;
const meta = { quiet: true };

export const adminDealsQuery = ({ tab, status, dealId, page }: DealSearch) => {
  const choice = { ...(tab ? { escalated: true } : {}), ...(status ? { status } : {}), ...(dealId ? { dealId } : {}) };
  return listQuery({
    key: keys.adminDeals,
    choice,
    page,
    load: (paged, signal) => sendList(api.GET('/admin/deals', { params: { query: { ...choice, ...paged } }, signal })),
  });
};

/** The time since which a deal waits for an admin, or null. */
export function waitingSince({ escalatedAt, suspendedAt }: Deal): string | null {
  if (escalatedAt === null || suspendedAt === null) return escalatedAt ?? suspendedAt;
  return Date.parse(escalatedAt) < Date.parse(suspendedAt) ? escalatedAt : suspendedAt;
}

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

export const adminDealQuery = (id: string) =>
  queryOptions({
    queryKey: keys.deal(id),
    queryFn: ({ signal }) => send(api.GET('/deals/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.operation ? pollEvery(IN_FLIGHT_POLL) : pollQueue()),
    meta,
  });

/** Support requests: open ones first, the oldest of them first. */
export const supportQuery = ({ page, search }: SupportSearch) => {
  const choice = search ? { search } : {};
  return listQuery({
    key: [...keys.adminSupport, 'page'],
    choice,
    page,
    load: (paged, signal) => sendList(api.GET('/admin/support-request', { params: { query: { ...choice, ...paged } }, signal })),
  });
};

/** The number of open support requests, and the oldest (at most a hundred). */
export const openSupportQuery = queryOptions({
  queryKey: [...keys.adminSupport, 'open'],
  queryFn: ({ signal }) =>
    sendList(api.GET('/admin/support-request', { params: { query: { open: true, page: 1, limit: 100 } }, signal })),
  refetchInterval: pollQueue,
  meta,
});
