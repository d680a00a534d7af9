import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { AdminCase, Claim } from '@/api/contract';
import { keys } from '@/entities/keys';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { api, send } from '@/lib/api';
import type { Rows } from '@/lib/rows';
import { listQuery, pollQueue } from '../queue/list-query';
import type { ReportSearch, ReportTab } from './report-search';

async function load(status: ReportTab, paged: { page: number; limit: number }, signal: AbortSignal): Promise<Rows<AdminCase>> {
  const { cases, total } = await send(api.GET('/admin/reports', { params: { query: { ...paged, status } }, signal }));
  return { rows: cases, total };
}

/** The time since which a case waits for a decision or its appeal for an answer. */
export const waitingSince = ({ appeal, firstReportedAt }: AdminCase): string => appeal?.createdAt ?? firstReportedAt;

export const claimOf = ({ claimedBy, claimedUntil }: AdminCase): Claim | null =>
  claimedBy && claimedUntil !== null ? { admin: claimedBy, until: claimedUntil } : null;

export const reportsQuery = ({ tab, page }: ReportSearch) =>
  listQuery({
    key: [...keys.adminReports, 'page'],
    choice: { tab: tab ?? 'open' },
    page,
    load: (paged, signal) => load(tab ?? 'open', paged, signal),
  });

export const waitingReportsQuery = queryOptions({
  queryKey: [...keys.adminReports, 'waiting'],
  queryFn: async ({ signal }) => {
    const first = { page: 1, limit: 1 };
    const [open, appealed] = await Promise.all([load('open', first, signal), load('appealed', first, signal)]);
    const oldest = [...open.rows, ...appealed.rows].map(waitingSince).sort()[0];
    return { open: open.total, appealed: appealed.total, total: open.total + appealed.total, oldest };
  },
  refetchInterval: pollQueue,
  meta: { quiet: true },
});

/**
 * It may contain private messages, and the audit log records each request: no refetch, no cache.
 */
export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'report', id],
    queryFn: ({ signal }) => withConfirmation(() => send(api.GET('/admin/reports/{id}', { params: { path: { id } }, signal }))),
    // Not even when everything is invalidated.
    staleTime: 'static',
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
    meta: { quiet: true },
  });

export function putCase(queryClient: QueryClient, row: AdminCase): void {
  queryClient.setQueriesData<Rows<AdminCase>>({ queryKey: [...keys.adminReports, 'page'] }, (data) =>
    data ? { ...data, rows: data.rows.map((old) => (old._id === row._id ? row : old)) } : data,
  );
}
