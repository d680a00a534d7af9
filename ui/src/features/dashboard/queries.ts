import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import type { DayRange } from '@/lib/period';

/** How the user is doing: open deals now, scores and reviews of the range. What changes the user's deals changes it, too. */
export const dashboardQuery = (range: DayRange) =>
  queryOptions({
    queryKey: [...keys.dashboard, range] as const,
    queryFn: ({ signal }) => send(api.GET('/dashboard', { params: { query: range }, signal })),
    meta: { quiet: true }, // the page says it itself
  });
