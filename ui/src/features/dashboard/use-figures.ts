import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { daysOf } from '@/lib/period';
import type { Period } from '@/lib/period-search';
import { dashboardQuery } from './queries';

export const PeriodContext = createContext<Period>({});

export function useLifetime(): boolean {
  const { days, from, to } = useContext(PeriodContext);
  return days === undefined && from === undefined && to === undefined;
}

/** The figures of the period. The previous ones stay while new ones load, so that nothing jumps. */
export function useFigures() {
  return useQuery({ ...dashboardQuery(daysOf(useContext(PeriodContext))), placeholderData: keepPreviousData });
}
