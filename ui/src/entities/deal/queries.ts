import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { DealDetail, DealStatus } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send, sendList } from '@/lib/api';
import { perClient } from '@/lib/per-client';
import { pollEvery } from '@/lib/realtime/live';
import { allRows } from '@/lib/rows';

const UNFINISHED: DealStatus[] = ['Pending', 'Active', 'Late', 'Delivered'];

/** The number of deals per status, and the sums completed in the last months. */
export const dealTotalsQuery = queryOptions({
  queryKey: [...keys.dealList, 'totals'] as const,
  queryFn: ({ signal }) => send(api.GET('/deals/totals', { signal })),
  meta: { quiet: true }, // the lists show failures
});

/** The deals that have not ended. All pages are read, because the oldest may wait for the user. */
export const unfinishedDealsQuery = queryOptions({
  queryKey: [...keys.dealList, 'unfinished'] as const,
  queryFn: ({ signal }) =>
    allRows((page) =>
      sendList(api.GET('/deals/my-deals', { params: { query: { status: UNFINISHED, page, limit: 100 } }, signal })),
    ),
  meta: { quiet: true },
});

/** The user's twenty latest deals and their total number. */
export const dealListQuery = queryOptions({
  queryKey: [...keys.dealList, 'latest'] as const,
  queryFn: ({ signal }) => sendList(api.GET('/deals/my-deals', { params: { query: { limit: 20 } }, signal })),
});

const POLL = 10_000;
const IN_FLIGHT_POLL = 5_000;

/** The polling interval: short while money is in flight, none once the deal has ended. */
function nextPoll(deal: DealDetail | undefined): number | false {
  if (deal?.operation) return pollEvery(IN_FLIGHT_POLL);
  return deal?.closedAt === null ? pollEvery(POLL) : false;
}

/** A deal with its timeline, polled until the deal has ended. */
export function dealQuery(id: string) {
  return queryOptions({
    queryKey: keys.deal(id),
    queryFn: ({ signal }) => send(api.GET('/deals/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => nextPoll(state.data),
  });
}

const removalsOf = perClient(() => new Set<string>());

/** Call it before the removal: the event may arrive before the response. */
export function markRemoval(queryClient: QueryClient, id: string): void {
  removalsOf(queryClient).add(id);
}

/** Call it if the deal was not removed. */
export function unmarkRemoval(queryClient: QueryClient, id: string): void {
  removalsOf(queryClient).delete(id);
}

/** Reports whether this page removes the deal, which must then not be fetched any more. */
export function isRemoved(queryClient: QueryClient, id: string): boolean {
  return removalsOf(queryClient).has(id);
}
