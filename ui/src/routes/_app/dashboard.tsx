import { createFileRoute } from '@tanstack/react-router';
import { DashboardPage } from '@/features/dashboard/dashboard-page';
import { loadDashboard } from '@/features/dashboard/loader';
import { DashboardSkeleton } from '@/features/dashboard/skeleton';
import { periodSearch } from '@/lib/period-search';

export const Route = createFileRoute('/_app/dashboard')({
  validateSearch: periodSearch,
  loaderDeps: ({ search: { days, from, to } }) => ({ days, from, to }),
  loader: ({ context, deps }) => loadDashboard(context.queryClient, deps),
  component: Home,
  pendingComponent: DashboardSkeleton,
});

function Home() {
  return <DashboardPage period={Route.useSearch()} />;
}
