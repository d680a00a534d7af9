import { inBackground } from '@/lib/loading';
import { dealListQuery } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';
import { walletQuery } from '@/lib/wallet';
import { type Period, rangeOf } from './period';
import { standingQuery } from './queries';

/** Everything is asked for at once; the page waits for balance and deals alone, scores and reviews find their places. */
export async function loadDashboard(period: Period): Promise<void> {
  inBackground(queryClient.query({ ...standingQuery(rangeOf(period)), staleTime: 'static' }));
  await Promise.all([
    queryClient.query({ ...walletQuery, staleTime: 'static' }),
    queryClient.query({ ...dealListQuery, staleTime: 'static' }),
  ]);
}
