import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import type { DayRange } from '@/lib/period';

/** Open deals, and the scores and reviews of a range of days. Invalidated along with the deals. */
export const dashboardQuery = (range: DayRange) =>
  queryOptions({
    queryKey: [...keys.dashboard, range] as const,
    queryFn: ({ signal }) => send(api.GET('/dashboard', { params: { query: range }, signal })),
    meta: { quiet: true },
  });
