import { createFileRoute } from '@tanstack/react-router';
import { HeldGone, HeldPage } from '@/features/deals/proof/held-page';
import { heldQuery } from '@/features/deals/proof/queries';
import { load } from '@/lib/prefetch';

export const Route = createFileRoute('/_public/held/$code')({
  loader: ({ context: { queryClient }, params }) => load(queryClient, { ...heldQuery(params.code), staleTime: 0 }),
  component: Held,
  notFoundComponent: HeldGone,
});

function Held() {
  const { code } = Route.useParams();
  return <HeldPage key={code} code={code} />;
}
