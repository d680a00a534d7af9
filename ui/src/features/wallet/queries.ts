import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Deposits, Withdrawals } from '@/api/contract';
import { translate } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { api, send } from '@/lib/api';
import { keys } from '@/lib/queries';

export const PAGE_SIZE = 10;
const WHILE_WAITING = 15_000;

const meta = { fallback: () => translate(wallet, 'historyFailed') };

/** A page of the user's deposits. While one waits for an admin the page is asked for again, so that the user sees it arrive. */
export const depositsQuery = (page: number) =>
  queryOptions({
    queryKey: [...keys.deposits, page],
    queryFn: ({ signal }): Promise<Deposits> =>
      send(api.GET('/auth/deposit/history', { params: { query: { page, limit: PAGE_SIZE } }, signal })),
    refetchInterval: ({ state }) => (state.data?.deposits.some((row) => row.status === 'pending') ? WHILE_WAITING : false),
    placeholderData: keepPreviousData,
    meta,
  });

export const withdrawalsQuery = (page: number) =>
  queryOptions({
    queryKey: [...keys.withdrawals, page],
    queryFn: ({ signal }): Promise<Withdrawals> =>
      send(api.GET('/withdraw/history', { params: { query: { page, limit: PAGE_SIZE } }, signal })),
    refetchInterval: ({ state }) => (state.data?.withdrawals.some((row) => row.status === 'pending') ? WHILE_WAITING : false),
    placeholderData: keepPreviousData,
    meta,
  });

/** The provider's personal numbers that deposits are sent to. */
export const receiversQuery = queryOptions({
  queryKey: ['receivers'] as const,
  queryFn: ({ signal }) => send(api.GET('/wallet/receivers', { signal })),
  staleTime: 5 * 60_000,
  meta: { quiet: true },
});
