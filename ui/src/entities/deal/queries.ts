import { queryOptions } from '@tanstack/react-query';
import type { DealStatus } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send, sendList } from '@/lib/api';
import { allRows } from '@/lib/rows';

const UNFINISHED: DealStatus[] = ['Pending', 'Active', 'Late', 'Delivered'];

/** The number of deals per status, and the sums completed in the last months. */
export const dealTotalsQuery = queryOptions({
  queryKey: [...keys.dealList, 'totals'] as const,
  queryFn: ({ signal }) => send(api.GET('/deals/totals', { signal })),
  meta: { quiet: true }, // the lists show failures
});

/** The deals that have not ended. All pages are read, because the oldest may wait for the user. */
export const unfinishedDealsQuery = queryOptions({
  queryKey: [...keys.dealList, 'unfinished'] as const,
  queryFn: ({ signal }) =>
    allRows((page) =>
      sendList(api.GET('/deals/my-deals', { params: { query: { status: UNFINISHED, page, limit: 100 } }, signal })),
    ),
  meta: { quiet: true },
});
