import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Deposits, Withdrawals } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { errorAdvice, errorText, isApiError } from '@/lib/errors';
import { pollEvery } from '@/lib/realtime/live';
import { notify } from '@/lib/toast';

const HISTORY_PAGE_SIZE = 10;
const WHILE_WAITING = 15_000;

export const whileWaiting = () => pollEvery(WHILE_WAITING);

/** The latest deposits, of all states. */
export const recentDepositsQuery = queryOptions({
  queryKey: [...keys.deposits, 'recent'] as const,
  queryFn: ({ signal }): Promise<Deposits> =>
    send(api.GET('/auth/deposit/history', { params: { query: { page: 1, limit: HISTORY_PAGE_SIZE } }, signal })),
  meta: { quiet: true },
});

/**
 * The user's code, to be asked for whenever it is shown: the server notes what payments with it are
 * for.
 */
export const paymentCodeQuery = (dealId: string | undefined, terms: number | undefined) =>
  queryOptions({
    queryKey: ['payment-code', dealId, terms] as const,
    queryFn: ({ signal }) => send(api.POST('/wallet/payment-code', { body: aimOf(dealId, terms), signal })),
    staleTime: 0,
    meta: { quiet: true },
  });

/** The deal that a deposit is for, and the terms that it pays, which the buyer has read. */
export const aimOf = (dealId: string | undefined, terms: number | undefined) =>
  dealId ? { dealId, ...(terms && { terms }) } : {};

/** The latest withdrawal: its method and number are offered again. */
export const lastWithdrawalQuery = queryOptions({
  queryKey: [...keys.withdrawals, 'last'] as const,
  queryFn: ({ signal }): Promise<Withdrawals> =>
    send(api.GET('/withdraw/history', { params: { query: { page: 1, limit: 1 } }, signal })),
  meta: { quiet: true },
});

/** All pending withdrawals: the server allows no more than fit on this page. */
export const pendingWithdrawalsQuery = queryOptions({
  queryKey: [...keys.withdrawals, 'pending'] as const,
  queryFn: ({ signal }): Promise<Withdrawals> =>
    send(api.GET('/withdraw/history', { params: { query: { status: 'pending', page: 1, limit: 100 } }, signal })),
  refetchInterval: ({ state }) => (state.data?.withdrawals.length ? whileWaiting() : false),
  meta: { quiet: true },
});

/** A payment on a page of bKash; once it is paid, there is a deposit with its id. */
export const checkoutQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.deposits, 'checkout', id],
    queryFn: ({ signal }) => send(api.GET('/checkouts/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => {
      if (state.data?.state === 'starting') return 1_000;
      return state.data?.state === 'failed' ? false : pollEvery(3_000);
    },
    meta: { quiet: true },
  });

/** In days. */
export const CHART_PERIODS = [30, 90, 365] as const;
export type ChartPeriod = (typeof CHART_PERIODS)[number];

/** The key is below the wallet's, so that both are invalidated together. */
export const walletHistoryQuery = (days: ChartPeriod) =>
  queryOptions({
    queryKey: [...keys.wallet, 'history', days],
    queryFn: ({ signal }) => send(api.GET('/wallet/history', { params: { query: { days } }, signal })),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

type Loading = { isLoadingError: boolean; error: unknown; errorUpdatedAt: number };

/** Shows a toast for a failed first load. The query client reports failed refreshes. */
export function useLoadFailure({ isLoadingError, error, errorUpdatedAt }: Loading, fallback: string): void {
  const say = useEffectEvent(() => {
    // The session's end opens a dialog.
    if (!isApiError(error, 'unauthenticated')) notify.error(errorText(error, fallback), errorAdvice(error) ?? undefined);
  });
  const failedAt = isLoadingError ? errorUpdatedAt : 0;
  useEffect(() => {
    if (failedAt > 0) say();
  }, [failedAt]);
}
