import { createFileRoute } from '@tanstack/react-router';
import { DealList } from '@/features/deals/list-page';
import { ListSkeleton } from '@/features/deals/list-skeleton';
import { loadDeals } from '@/features/deals/load';
import { isTab, type Tab } from '@/features/deals/tabs';

type Search = { tab?: Tab };

export const Route = createFileRoute('/_app/deal/')({
  validateSearch: (search): Search => (isTab(search.tab) ? { tab: search.tab } : {}),
  loaderDeps: ({ search: { tab } }) => ({ tab }),
  loader: ({ deps, preload }) => loadDeals(deps.tab, preload),
  component: Deals,
  pendingComponent: ListSkeleton,
});

function Deals() {
  const { tab } = Route.useSearch();
  return <DealList tab={tab} />;
}
