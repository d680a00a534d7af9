import { createFileRoute } from '@tanstack/react-router';
import { DepositsPage } from '@/features/admin/deposits/deposits-page';
import { depositQueueQuery } from '@/features/admin/queue/queries';
import { queueSearch } from '@/features/admin/queue/queue-search';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/deposit')({
  validateSearch: queueSearch,
  loaderDeps: ({ search: { tab, page } }) => ({ tab, page }),
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient.query({ ...depositQueueQuery(deps), staleTime: 'static' }));
  },
  component: DepositsPage,
});
