import { createFileRoute } from '@tanstack/react-router';
import { reportSearch } from '@/features/admin/admin-search';
import { reportsQuery } from '@/features/admin/reports/queries';
import { AdminReportsPage } from '@/features/admin/reports/reports-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/reports')({
  validateSearch: reportSearch,
  loader: ({ context: { queryClient }, location }) => prefetch(queryClient, reportsQuery(reportSearch(location.search))),
  component: AdminReportsPage,
});
