import { createFileRoute } from '@tanstack/react-router';
import { Dashboard } from '@/features/dashboard/dashboard';
import { DashboardSkeleton } from '@/features/dashboard/skeleton';
import { dealListQuery, walletQuery } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_app/dashboard')({
  loader: () =>
    Promise.all([
      queryClient.query({ ...walletQuery, staleTime: 'static' }),
      queryClient.query({ ...dealListQuery, staleTime: 'static' }),
    ]),
  component: Dashboard,
  pendingComponent: DashboardSkeleton,
});
