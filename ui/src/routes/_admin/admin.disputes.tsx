import { createFileRoute } from '@tanstack/react-router';
import { disputeSearch } from '@/features/admin/admin-search';
import { AdminDisputesPage } from '@/features/admin/disputes/disputes-page';
import { disputesQuery } from '@/features/admin/disputes/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/disputes')({
  validateSearch: disputeSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, disputesQuery(deps));
  },
  component: AdminDisputesPage,
});
