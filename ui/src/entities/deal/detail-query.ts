import { queryOptions } from '@tanstack/react-query';
import type { DealDetail } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { pollEvery } from '@/lib/realtime/live';

const POLL = 10_000;
const IN_FLIGHT_POLL = 5_000;

/** How soon to ask again for what the other side, the clock or an admin may change: sooner while money is in flight, never once all is over. */
function nextPoll(deal: DealDetail | undefined): number | false {
  if (deal?.operation) return pollEvery(IN_FLIGHT_POLL);
  return deal?.closedAt === null ? pollEvery(POLL) : false;
}

/** One deal with its timeline. It is asked for again and again until it is over, so that the page keeps up by itself for both sides. */
export function dealQuery(id: string) {
  return queryOptions({
    queryKey: keys.deal(id),
    queryFn: ({ signal }) => send(api.GET('/deals/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => nextPoll(state.data),
  });
}
