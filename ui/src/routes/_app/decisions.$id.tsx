import { createFileRoute } from '@tanstack/react-router';
import { decisionQuery } from '@/entities/moderation/decision-parts';
import { DecisionMissing, DecisionPage } from '@/features/moderation/decision-page';
import { load } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/decisions/$id')({
  // Refetched on each visit: an appeal may have been answered since.
  loader: ({ context: { queryClient }, params }) => load(queryClient, { ...decisionQuery(params.id), staleTime: 0 }),
  component: Decision,
  notFoundComponent: DecisionMissing,
});

function Decision() {
  const { id } = Route.useParams();
  return <DecisionPage key={id} id={id} />;
}
