import type { QueryClient } from '@tanstack/react-query';
import { dealListQuery } from '@/entities/deal/latest-query';
import { dealTotalsQuery, unfinishedDealsQuery } from '@/entities/deal/queries';
import { walletQuery } from '@/entities/wallet/queries';
import { daysOf } from '@/lib/period';
import type { Period } from '@/lib/period-search';
import { prefetch } from '@/lib/prefetch';
import { dashboardQuery } from './queries';

/** Loads everything in parallel. The page only waits for balance and deals. */
export async function loadDashboard(queryClient: QueryClient, period: Period): Promise<void> {
  prefetch(queryClient, dashboardQuery(daysOf(period)));
  await Promise.all([
    queryClient.query({ ...walletQuery, staleTime: 'static' }),
    queryClient.query({ ...dealListQuery, staleTime: 'static' }),
    queryClient.query({ ...unfinishedDealsQuery, staleTime: 'static' }),
    queryClient.query({ ...dealTotalsQuery, staleTime: 'static' }),
  ]);
}
