import { createFileRoute } from '@tanstack/react-router';
import { reportSearch } from '@/features/admin/admin-search';
import { reportsQuery } from '@/features/admin/reports/queries';
import { AdminReportsPage } from '@/features/admin/reports/reports-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/reports')({
  validateSearch: reportSearch,
  loaderDeps: ({ search: { tab, page, search } }) => ({ tab, page, search }),
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, reportsQuery(deps));
  },
  component: AdminReportsPage,
});
