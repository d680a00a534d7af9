import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { type DayRange, daysOf } from '@/lib/period';
import type { Period } from '@/lib/period-search';

/** Open deals, and the scores and reviews of a range of days. Invalidated along with the deals. */
export const dashboardQuery = (range: DayRange) =>
  queryOptions({
    queryKey: [...keys.dashboard, range] as const,
    queryFn: ({ signal }) => send(api.GET('/dashboard', { params: { query: range }, signal })),
    meta: { quiet: true },
  });

export const PeriodContext = createContext<Period>({});

export function useLifetime(): boolean {
  const { days, from, to } = useContext(PeriodContext);
  return days === undefined && from === undefined && to === undefined;
}

/** The figures of the period. The previous ones stay while new ones load, so that nothing jumps. */
export function useFigures() {
  return useQuery({ ...dashboardQuery(daysOf(useContext(PeriodContext))), placeholderData: keepPreviousData });
}
