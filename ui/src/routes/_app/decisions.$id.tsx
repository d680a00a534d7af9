import { createFileRoute, notFound } from '@tanstack/react-router';
import { decisionQuery } from '@/entities/moderation/decision-parts';
import { DecisionMissing, DecisionPage } from '@/features/moderation/decision-page';
import { isApiError } from '@/lib/errors';

export const Route = createFileRoute('/_app/decisions/$id')({
  // Refetched on each visit: an appeal may have been answered since.
  loader: ({ context: { queryClient }, params }) =>
    queryClient.query({ ...decisionQuery(params.id), staleTime: 0 }).catch((error: unknown) => {
      throw isApiError(error, 'not_found') ? notFound() : error;
    }),
  component: Decision,
  notFoundComponent: DecisionMissing,
});

function Decision() {
  const { id } = Route.useParams();
  return <DecisionPage key={id} id={id} />;
}
