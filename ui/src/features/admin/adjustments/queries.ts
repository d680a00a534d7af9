import { queryOptions } from '@tanstack/react-query';
import type { Adjustment } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import type { AdjustmentSearch } from '../admin-search';
import { listQuery, waitingQuery } from '../queue/list-query';

type Query = { page: number; limit: number; status: Adjustment['status']; search?: string };

async function load(query: Query, signal: AbortSignal) {
  const { adjustments, total } = await send(api.GET('/admin/adjustments', { params: { query }, signal }));
  return { rows: adjustments, total };
}

export function adjustmentsQuery({ tab, search, page }: AdjustmentSearch) {
  const choice: Omit<Query, 'page' | 'limit'> = { status: tab ?? 'open', ...(search ? { search } : {}) };
  return listQuery({
    key: [...keys.adminAdjustments, 'page'],
    choice,
    page,
    load: (paged, signal) => load({ ...paged, ...choice }, signal),
  });
}

export const waitingAdjustmentsQuery = waitingQuery(
  keys.adminAdjustments,
  ['open'],
  (status, paged, signal) => load({ ...paged, status }, signal),
  ({ proposedAt }) => proposedAt,
);

export const adjustmentQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.adminAdjustments, 'one', id],
    queryFn: ({ signal }) => send(api.GET('/admin/adjustments/{id}', { params: { path: { id } }, signal })),
    meta: { quiet: true },
  });
