import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { daysOf } from '@/lib/period';
import type { Period } from '@/lib/period-search';
import { dashboardQuery } from './queries';

/** The period that the page shows. */
export const PeriodContext = createContext<Period>({});

/** Whether the page shows all there ever was. */
export function useLifetime(): boolean {
  const { days, from, to } = useContext(PeriodContext);
  return days === undefined && from === undefined && to === undefined;
}

/** The figures of the chosen period; those of the last one stand until they are here, so that nothing jumps. */
export function useFigures() {
  return useQuery({ ...dashboardQuery(daysOf(useContext(PeriodContext))), placeholderData: keepPreviousData });
}
