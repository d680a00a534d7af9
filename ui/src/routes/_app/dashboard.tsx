import { createFileRoute } from '@tanstack/react-router';
import { DashboardPage, DashboardSkeleton, loadDashboard } from '@/features/dashboard/dashboard-page';
import { useDealDialog } from '@/features/deals/create/use-deal-dialog';
import { periodSearch } from '@/lib/period-search';

export const Route = createFileRoute('/_app/dashboard')({
  validateSearch: periodSearch,
  loaderDeps: ({ search: { days, from, to } }) => ({ days, from, to }),
  loader: ({ context, deps }) => loadDashboard(context.queryClient, deps),
  component: Home,
  pendingComponent: DashboardSkeleton,
});

function Home() {
  const dialog = useDealDialog();
  return (
    <>
      <DashboardPage period={Route.useSearch()} onDeal={dialog.open} />
      {dialog.element}
    </>
  );
}
