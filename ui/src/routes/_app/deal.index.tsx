import { createFileRoute } from '@tanstack/react-router';
import { DealList } from '@/features/deals/list/list-page';
import { ListSkeleton } from '@/features/deals/list/list-skeleton';
import { isTab, type Tab } from '@/features/deals/list/tabs';
import { loadDeals } from '@/features/deals/loader';

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
