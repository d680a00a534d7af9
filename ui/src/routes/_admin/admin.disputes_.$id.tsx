import { createFileRoute } from '@tanstack/react-router';
import { disputeQuery } from '@/entities/deal/dispute/queries';
import { disputeSearch } from '@/features/admin/admin-search';
import { AdminDisputePage } from '@/features/admin/disputes/dispute-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/disputes_/$id')({
  validateSearch: disputeSearch,
  loader: ({ context: { queryClient }, params }) => {
    prefetch(queryClient, disputeQuery(params.id));
  },
  component: AdminDisputePage,
});
