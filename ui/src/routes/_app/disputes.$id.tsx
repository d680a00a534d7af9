import { createFileRoute } from '@tanstack/react-router';
import { disputeQuery } from '@/entities/deal/dispute/queries';
import { DetailSkeleton } from '@/features/deals/detail/deal-loading';
import { DisputeMissing, DisputePage } from '@/features/deals/dispute/dispute-room';
import { load } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/disputes/$id')({
  loader: ({ context: { queryClient }, params }) => load(queryClient, disputeQuery(params.id)),
  component: Dispute,
  notFoundComponent: DisputeMissing,
  pendingComponent: DetailSkeleton,
});

function Dispute() {
  const { id } = Route.useParams();
  return <DisputePage key={id} id={id} />;
}
