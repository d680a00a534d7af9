import { createFileRoute } from '@tanstack/react-router';
import { disputeSearch } from '@/features/admin/admin-search';
import { AdminDisputesPage } from '@/features/admin/disputes/disputes-page';
import { disputesQuery } from '@/features/admin/disputes/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/disputes')({
  validateSearch: disputeSearch,
  loader: ({ context: { queryClient }, location }) => prefetch(queryClient, disputesQuery(disputeSearch(location.search))),
  component: AdminDisputesPage,
});
