import { dealTotalsQuery, unfinishedDealsQuery } from '@/lib/deal-lists';
import { inBackground } from '@/lib/loading';
import { daysOf } from '@/lib/period';
import type { Period } from '@/lib/period-search';
import { dealListQuery } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';
import { walletQuery } from '@/lib/wallet';
import { standingQuery } from './queries';

/** Everything is asked for at once; the page waits for balance and deals alone, scores and reviews find their places. */
export async function loadDashboard(period: Period): Promise<void> {
  inBackground(queryClient.query({ ...standingQuery(daysOf(period)), staleTime: 'static' }));
  await Promise.all([
    queryClient.query({ ...walletQuery, staleTime: 'static' }),
    queryClient.query({ ...dealListQuery, staleTime: 'static' }),
    queryClient.query({ ...unfinishedDealsQuery, staleTime: 'static' }),
    queryClient.query({ ...dealTotalsQuery, staleTime: 'static' }),
  ]);
}
