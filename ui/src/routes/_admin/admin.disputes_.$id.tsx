import { createFileRoute, notFound } from '@tanstack/react-router';
import { disputeQuery } from '@/entities/deal/dispute/queries';
import { disputeSearch } from '@/features/admin/admin-search';
import { AdminDisputePage } from '@/features/admin/disputes/dispute-page';
import { NotFoundPage } from '@/features/shell/not-found';
import { isApiError } from '@/lib/errors';

export const Route = createFileRoute('/_admin/admin/disputes_/$id')({
  validateSearch: disputeSearch,
  loader: ({ context: { queryClient }, params }) =>
    queryClient.query({ ...disputeQuery(params.id), staleTime: 'static' }).catch((error: unknown) => {
      throw isApiError(error, 'not_found') ? notFound() : error;
    }),
  component: AdminDisputePage,
  notFoundComponent: NotFoundPage,
});
