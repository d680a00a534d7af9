import { queryOptions } from '@tanstack/react-query';
import type { AdminCase } from '@/api/contract';
import { keys } from '@/entities/keys';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { api, send } from '@/lib/api';
import type { ReportSearch, ReportTab } from '../admin-search';
import { type LoadStatus, listQuery, waitingQuery } from '../queue/list-query';

const loadOf =
  (search?: string): LoadStatus<AdminCase, ReportTab> =>
  async (status, paged, signal) => {
    const query = { ...paged, status, ...(search ? { search } : {}) };
    const { cases, total } = await send(api.GET('/admin/reports', { params: { query }, signal }));
    return { rows: cases, total };
  };

/** The time since which a case waits for a decision or its appeal for an answer. */
export const waitingSince = ({ appeal, firstReportedAt }: AdminCase): string => appeal?.createdAt ?? firstReportedAt;

export const reportsQuery = ({ tab, page, search }: ReportSearch) =>
  listQuery({
    key: [...keys.adminReports, 'page'],
    choice: { tab: tab ?? 'open', search },
    page,
    load: (paged, signal) => loadOf(search)(tab ?? 'open', paged, signal),
  });

export const waitingReportsQuery = waitingQuery(keys.adminReports, ['open', 'appealed'], loadOf(), waitingSince);

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
