import { createFileRoute } from '@tanstack/react-router';
import { withdrawalQueueQuery } from '@/features/admin/queries';
import { type QueueSearch, queueSearch } from '@/features/admin/queue-search';
import { WithdrawalsPage } from '@/features/admin/withdrawals-page';
import { inBackground } from '@/lib/loading';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_admin/admin/withdrawal')({
  validateSearch: (search): QueueSearch => queueSearch(search),
  loaderDeps: ({ search: { tab, page } }) => ({ tab, page }),
  loader: ({ deps: { tab, page } }) => {
    inBackground(queryClient.query({ ...withdrawalQueueQuery(tab ?? 'waiting', page ?? 1), staleTime: 'static' }));
  },
  component: WithdrawalsPage,
});
