import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { DealDetail, DealDispute } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { pollEvery } from '@/lib/realtime/live';
import { isRunning } from '../status';

const POLL = 15_000;
const IN_FLIGHT_POLL = 3_000;

function nextPoll(dispute: DealDispute | undefined): number | false {
  if (dispute?.operation) return pollEvery(IN_FLIGHT_POLL);
  return dispute && !isRunning(dispute.status) ? false : pollEvery(POLL);
}

/** A dispute with its thread, for its parties and admins; polled until it is over. */
export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: keys.dispute(id),
    queryFn: ({ signal }) => send(api.GET('/disputes/{id}', { params: { path: { id } }, signal })).then(({ dispute }) => dispute),
    refetchInterval: ({ state }) => nextPoll(state.data),
    meta: { quiet: true },
  });

/** Caches a dispute from a response, and refreshes its deal. */
export function putDispute(queryClient: QueryClient, dispute: DealDispute): void {
  const { _id, status } = dispute;
  queryClient.setQueryData(keys.dispute(_id), dispute);
  queryClient.setQueryData<DealDetail>(keys.deal(dispute.deal._id), (deal) => deal && { ...deal, dispute: { _id, status } });
}
