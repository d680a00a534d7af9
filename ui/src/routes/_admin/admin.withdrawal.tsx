import { createFileRoute } from '@tanstack/react-router';
import { withdrawalQueueSearch } from '@/features/admin/admin-search';
import { withdrawalQueueQuery } from '@/features/admin/withdrawals/queries';
import { WithdrawalsPage } from '@/features/admin/withdrawals/withdrawals-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/withdrawal')({
  validateSearch: withdrawalQueueSearch,
  loader: ({ context: { queryClient }, location }) =>
    prefetch(queryClient, withdrawalQueueQuery(withdrawalQueueSearch(location.search))),
  component: WithdrawalsPage,
});
