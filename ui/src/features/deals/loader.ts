import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { dealQuery } from '@/entities/deal/detail-query';
import { dealTotalsQuery } from '@/entities/deal/queries';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { walletQuery } from '@/entities/wallet/queries';
import { ApiError } from '@/lib/errors';
import { notifyDealFailure, notifyListFailure } from './failures';
import { dealTabQuery } from './list/queries';
import { countByTab, firstTab } from './list/tab-statuses';
import type { Tab } from './list/tabs';

/** Errors not worth a toast: a preload, or a 401 (the login dialog opens). */
function isSilent(error: unknown, preload: boolean): boolean {
  return preload || (error instanceof ApiError && error.status === 401);
}

/** Loads a tab of the list. */
export async function loadDeals(queryClient: QueryClient, tab: Tab | undefined, preload: boolean): Promise<void> {
  try {
    const totals = queryClient.query({ ...dealTotalsQuery, staleTime: 'static' });
    const shown = tab ?? firstTab(countByTab(await totals));
    await Promise.all([totals, queryClient.infiniteQuery({ ...dealTabQuery(shown), staleTime: 'static' })]);
  } catch (error) {
    if (!isSilent(error, preload)) notifyListFailure(error);
    throw error;
  }
}

/** Balance and rate, without which the page works, but which would move it later. */
async function loadSideData(queryClient: QueryClient): Promise<void> {
  const facts = [
    queryClient.query({ ...walletQuery, staleTime: 'static', retry: false }),
    queryClient.query({ ...rateQuery, staleTime: 'static', retry: false }),
  ];
  await Promise.allSettled(facts);
}

/** Loads a deal; a failure leads to the list. */
export async function loadDeal(queryClient: QueryClient, id: string, preload: boolean): Promise<void> {
  const facts = loadSideData(queryClient);
  try {
    await queryClient.query({ ...dealQuery(id), staleTime: 'static' });
    await facts;
  } catch (error) {
    if (isSilent(error, preload)) throw error;
    notifyDealFailure(error);
    throw redirect({ to: '/deals', replace: true });
  }
}
