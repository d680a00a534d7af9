import { queryOptions } from '@tanstack/react-query';
import { api, send } from '@/lib/api';
import { keys } from '@/lib/queries';
import type { Range } from './period';

/** How the user is doing: open deals now, scores and reviews of the range. What changes the user's deals changes it, too. */
export const standingQuery = (range: Range) =>
  queryOptions({
    queryKey: [...keys.deals, 'standing', range] as const,
    queryFn: ({ signal }) => send(api.GET('/dashboard', { params: { query: range }, signal })),
    meta: { quiet: true }, // the page says it itself
  });
