import { createFileRoute } from '@tanstack/react-router';
import { AdminDashboardPage } from '@/features/admin/dashboard/dashboard-page';
import { totalsQuery } from '@/features/admin/dashboard/queries';
import { daysOf } from '@/lib/period';
import { periodSearch } from '@/lib/period-search';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/dashboard')({
  validateSearch: periodSearch,
  loader: ({ context: { queryClient }, location }) => prefetch(queryClient, totalsQuery(daysOf(periodSearch(location.search)))),
  component: AdminDashboardPage,
});
