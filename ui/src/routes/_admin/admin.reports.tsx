import { createFileRoute } from '@tanstack/react-router';
import { listDeps, reportSearch } from '@/features/admin/admin-search';
import { reportsQuery } from '@/features/admin/reports/queries';
import { AdminReportsPage } from '@/features/admin/reports/reports-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/reports')({
  validateSearch: reportSearch,
  loaderDeps: listDeps,
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, reportsQuery(deps));
  },
  component: AdminReportsPage,
});
