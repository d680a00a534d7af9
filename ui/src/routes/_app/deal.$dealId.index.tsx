import { createFileRoute } from '@tanstack/react-router';
import { DetailSkeleton, loadDeal } from '@/features/deals/detail/deal-loading';
import { DealPage } from '@/features/deals/detail/detail-page';

export const Route = createFileRoute('/_app/deal/$dealId/')({
  loader: ({ context, params, preload }) => loadDeal(context.queryClient, params.dealId, preload),
  component: Deal,
  pendingComponent: DetailSkeleton,
});

function Deal() {
  const { dealId } = Route.useParams();
  // The key discards all state on another deal.
  return <DealPage key={dealId} id={dealId} />;
}
