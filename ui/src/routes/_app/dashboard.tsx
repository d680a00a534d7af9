import { createFileRoute, useLocation } from '@tanstack/react-router';
import { DashboardPage, DashboardSkeleton, loadDashboard } from '@/features/dashboard/dashboard-page';
import { BY_LINK } from '@/features/deals/create/deal-start';
import { useDealDialog } from '@/features/deals/create/use-deal-dialog';
import { useNextStep } from '@/hooks/use-next-step';
import { periodSearch } from '@/lib/period-search';

export const Route = createFileRoute('/_app/dashboard')({
  validateSearch: periodSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => loadDashboard(context.queryClient, deps),
  component: Home,
  pendingComponent: DashboardSkeleton,
});

function Home() {
  const dialog = useDealDialog(BY_LINK);
  // The landing page's "Send the seller a link", after the sign-up.
  const hash = useLocation({ select: (location) => location.hash });
  useNextStep(hash === 'link' ? hash : undefined, dialog.open);
  return (
    <>
      <DashboardPage period={Route.useSearch()} onDeal={dialog.open} />
      {dialog.element}
    </>
  );
}
