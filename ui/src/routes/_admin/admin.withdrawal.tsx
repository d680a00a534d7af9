import { createFileRoute } from '@tanstack/react-router';
import { listDeps, withdrawalQueueSearch } from '@/features/admin/admin-search';
import { withdrawalQueueQuery } from '@/features/admin/withdrawals/queries';
import { WithdrawalsPage } from '@/features/admin/withdrawals/withdrawals-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/withdrawal')({
  validateSearch: withdrawalQueueSearch,
  loaderDeps: listDeps,
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, withdrawalQueueQuery(deps));
  },
  component: WithdrawalsPage,
});
