import { queryOptions } from '@tanstack/react-query';
import type { DealDetail } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { pollEvery } from '@/lib/realtime/live';

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
