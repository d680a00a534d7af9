import { createFileRoute } from '@tanstack/react-router';
import { DashboardPage } from '@/features/admin/dashboard/dashboard-page';
import { totalsQuery } from '@/features/admin/dashboard/queries';
import { type Range, rangeSearch } from '@/features/admin/range-search';
import { inBackground } from '@/lib/loading';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_admin/admin/dashboard')({
  validateSearch: (search): Range => rangeSearch(search),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => {
    inBackground(queryClient.query({ ...totalsQuery(deps), staleTime: 'static' }));
  },
  component: DashboardPage,
});
