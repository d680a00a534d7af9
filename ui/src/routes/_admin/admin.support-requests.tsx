import { createFileRoute } from '@tanstack/react-router';
import { listDeps, supportSearch } from '@/features/admin/admin-search';
import { supportQuery } from '@/features/admin/deals/queries';
import { SupportRequestsPage } from '@/features/admin/support/support-requests-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/support-requests')({
  validateSearch: supportSearch,
  loaderDeps: listDeps,
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, supportQuery(deps));
  },
  component: SupportRequestsPage,
});
