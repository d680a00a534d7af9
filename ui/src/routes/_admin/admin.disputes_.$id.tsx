import { createFileRoute } from '@tanstack/react-router';
import { disputeQuery } from '@/entities/deal/dispute/queries';
import { disputeSearch } from '@/features/admin/admin-search';
import { AdminDisputePage } from '@/features/admin/disputes/dispute-page';
import { NotFoundPage } from '@/features/shell/not-found';
import { load } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/disputes_/$id')({
  validateSearch: disputeSearch,
  loader: ({ context: { queryClient }, params }) => load(queryClient, disputeQuery(params.id)),
  component: AdminDisputePage,
  notFoundComponent: NotFoundPage,
});
