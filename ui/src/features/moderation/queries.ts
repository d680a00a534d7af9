import { infiniteQueryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, sendList } from '@/lib/api';
import { nextPage } from '@/lib/rows';

export const REPORTS_PAGE = 20;

export const myReportsQuery = infiniteQueryOptions({
  queryKey: [...keys.reports, 'mine'] as const,
  queryFn: ({ pageParam: page, signal }) =>
    sendList(api.GET('/reports/mine', { params: { query: { page, limit: REPORTS_PAGE } }, signal })),
  initialPageParam: 1,
  getNextPageParam: nextPage,
  meta: { quiet: true },
});
