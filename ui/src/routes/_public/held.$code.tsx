import { createFileRoute, notFound } from '@tanstack/react-router';
import { HeldGone, HeldPage } from '@/features/deals/proof/held-page';
import { heldQuery } from '@/features/deals/proof/queries';
import { isApiError } from '@/lib/errors';

export const Route = createFileRoute('/_public/held/$code')({
  loader: async ({ context: { queryClient }, params }) => {
    await queryClient.query({ ...heldQuery(params.code), staleTime: 0 }).catch((error: unknown) => {
      throw isApiError(error, 'not_found') ? notFound() : error;
    });
  },
  component: Held,
  notFoundComponent: HeldGone,
});

function Held() {
  const { code } = Route.useParams();
  return <HeldPage key={code} code={code} />;
}
