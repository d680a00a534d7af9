import { createFileRoute } from '@tanstack/react-router';
import { DetailSkeleton, loadDeal } from '@/features/deals/detail/deal-loading';
import { OpenDisputePage } from '@/features/deals/dispute/open-page';

export const Route = createFileRoute('/_app/deal/$dealId/dispute')({
  loader: ({ context, params, preload }) => loadDeal(context.queryClient, params.dealId, preload),
  component: Dispute,
  pendingComponent: DetailSkeleton,
});

function Dispute() {
  const { dealId } = Route.useParams();
  // The key discards input on another deal.
  return <OpenDisputePage key={dealId} id={dealId} />;
}
