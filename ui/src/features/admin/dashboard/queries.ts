import { queryOptions } from '@tanstack/react-query';
import type { Series } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send, sendList } from '@/lib/api';
import type { DayRange } from '@/lib/period';
import { inDays } from '../queue/list-query';

/** Totals are refetched less often than queues. */
const REFRESH = 60_000;
const RATES_SHOWN = 8;
const meta = { quiet: true };

/** The totals of a range of days. Amounts are USD as on the wire. */
export const totalsQuery = (range: DayRange) =>
  queryOptions({
    queryKey: ['admin', 'totals', range],
    queryFn: async ({ signal }) => {
      const options = { params: { query: inDays(range) }, signal };
      const [users, deals, deposits, withdrawals, earnings] = await Promise.all([
        send(api.GET('/admin/total-users', options)),
        send(api.GET('/admin/total-deals', options)),
        send(api.GET('/admin/total-deposits', options)),
        send(api.GET('/admin/total-withdraw-amount', options)),
        send(api.GET('/admin/platform-earnings', options)),
      ]);
      return { ...users, ...deals, ...deposits, ...withdrawals, ...earnings };
    },
    refetchInterval: REFRESH,
    meta,
  });

export const TRENDS = ['deposits', 'withdrawals', 'earnings', 'deals'] as const;
export type Trend = (typeof TRENDS)[number];
export type AllSeries = Record<Trend, Series>;

export const seriesQuery = ({ from, to }: Required<DayRange>) =>
  queryOptions({
    queryKey: ['admin', 'series', from, to],
    queryFn: async ({ signal }): Promise<AllSeries> => {
      const one = (of: Trend) =>
        send(api.GET('/admin/series', { params: { query: { of, startDate: from, endDate: to } }, signal }));
      const [deposits, withdrawals, earnings, deals] = await Promise.all([
        one('deposits'),
        one('withdrawals'),
        one('earnings'),
        one('deals'),
      ]);
      return { deposits, withdrawals, earnings, deals };
    },
    refetchInterval: REFRESH,
    meta,
  });

/** The current rate first, and one row more than shown, for comparison. */
export const ratesQuery = queryOptions({
  queryKey: [...keys.rate, 'history'],
  queryFn: ({ signal }) =>
    sendList(api.GET('/admin/exchange-rates', { params: { query: { page: 1, limit: RATES_SHOWN + 1 } }, signal })),
  meta,
});
