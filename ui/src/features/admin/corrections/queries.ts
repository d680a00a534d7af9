import { queryOptions } from '@tanstack/react-query';
import type { Correction } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import type { CorrectionSearch } from '../admin-search';
import { listQuery, waitingQuery } from '../queue/list-query';

type Query = { page: number; limit: number; status: Correction['status']; search?: string };

async function load(query: Query, signal: AbortSignal) {
  const { corrections, total } = await send(api.GET('/admin/corrections', { params: { query }, signal }));
  return { rows: corrections, total };
}

export function correctionsQuery({ tab, search, page }: CorrectionSearch) {
  const choice: Omit<Query, 'page' | 'limit'> = { status: tab ?? 'open', ...(search ? { search } : {}) };
  return listQuery({
    key: [...keys.adminCorrections, 'page'],
    choice,
    page,
    load: (paged, signal) => load({ ...paged, ...choice }, signal),
  });
}

export const waitingCorrectionsQuery = waitingQuery(
  keys.adminCorrections,
  ['open'],
  (status, paged, signal) => load({ ...paged, status }, signal),
  ({ proposedAt }) => proposedAt,
);

export const correctionQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.adminCorrections, 'one', id],
    queryFn: ({ signal }) => send(api.GET('/admin/corrections/{id}', { params: { path: { id } }, signal })),
    meta: { quiet: true },
  });
