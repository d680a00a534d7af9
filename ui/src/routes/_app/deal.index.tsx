import { createFileRoute } from '@tanstack/react-router';
import { DealList, ListSkeleton, loadDeals } from '@/features/deals/list/list-page';
import { TABS } from '@/features/deals/list/tabs';
import { oneOf, searchParams } from '@/lib/search-params';

const validateSearch = searchParams({ tab: oneOf(TABS) });

export const Route = createFileRoute('/_app/deal/')({
  validateSearch,
  loaderDeps: ({ search: { tab } }) => ({ tab }),
  loader: ({ context, deps, preload }) => loadDeals(context.queryClient, deps.tab, preload),
  component: Deals,
  pendingComponent: ListSkeleton,
});

function Deals() {
  const { tab } = Route.useSearch();
  return <DealList tab={tab} />;
}
