import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Adjustment } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import type { Rows } from '@/lib/rows';
import { listQuery, pollQueue } from '../queue/list-query';
import type { AdjustmentSearch } from './adjustment-search';

type Choice = { status: Adjustment['status']; search?: string };

async function load(choice: Choice, paged: { page: number; limit: number }, signal: AbortSignal): Promise<Rows<Adjustment>> {
  const { adjustments, total } = await send(
    api.GET('/admin/adjustments', { params: { query: { ...paged, ...choice } }, signal }),
  );
  return { rows: adjustments, total };
}

export function adjustmentsQuery({ tab, search, page }: AdjustmentSearch) {
  const choice: Choice = { status: tab ?? 'open', ...(search ? { search } : {}) };
  return listQuery({
    key: [...keys.adminAdjustments, 'page'],
    choice,
    page,
    load: (paged, signal) => load(choice, paged, signal),
  });
}

/** The number of open corrections, and the age of the oldest. */
export const waitingAdjustmentsQuery = queryOptions({
  queryKey: [...keys.adminAdjustments, 'waiting'],
  queryFn: async ({ signal }) => {
    const { rows, total } = await load({ status: 'open' }, { page: 1, limit: 1 }, signal);
    return { total, oldest: rows[0]?.proposedAt };
  },
  refetchInterval: pollQueue,
  meta: { quiet: true },
});

export const adjustmentQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.adminAdjustments, 'one', id],
    queryFn: ({ signal }) => send(api.GET('/admin/adjustments/{id}', { params: { path: { id } }, signal })),
    meta: { quiet: true },
  });

export function putAdjustment(queryClient: QueryClient, row: Adjustment): void {
  queryClient.setQueryData(adjustmentQuery(row._id).queryKey, row);
  queryClient.setQueriesData<Rows<Adjustment>>({ queryKey: [...keys.adminAdjustments, 'page'] }, (data) =>
    data ? { ...data, rows: data.rows.map((old) => (old._id === row._id ? row : old)) } : data,
  );
}
