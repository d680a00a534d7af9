import { createFileRoute, notFound } from '@tanstack/react-router';
import { disputeQuery } from '@/entities/deal/dispute/queries';
import { DetailSkeleton } from '@/features/deals/detail/deal-loading';
import { DisputeMissing, DisputePage } from '@/features/deals/dispute/dispute-room';
import { isApiError } from '@/lib/errors';

export const Route = createFileRoute('/_app/disputes/$id')({
  loader: ({ context: { queryClient }, params }) =>
    queryClient.query({ ...disputeQuery(params.id), staleTime: 'static' }).catch((error: unknown) => {
      throw isApiError(error, 'not_found') ? notFound() : error;
    }),
  component: Dispute,
  notFoundComponent: DisputeMissing,
  pendingComponent: DetailSkeleton,
});

function Dispute() {
  const { id } = Route.useParams();
  return <DisputePage key={id} id={id} />;
}
