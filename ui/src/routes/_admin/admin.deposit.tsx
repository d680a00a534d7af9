import { createFileRoute } from '@tanstack/react-router';
import { DepositsPage } from '@/features/admin/deposits-page';
import { depositQueueQuery } from '@/features/admin/queries';
import { type QueueSearch, queueSearch } from '@/features/admin/queue-search';
import { inBackground } from '@/lib/loading';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_admin/admin/deposit')({
  validateSearch: (search): QueueSearch => queueSearch(search),
  loaderDeps: ({ search: { tab, page } }) => ({ tab, page }),
  loader: ({ deps: { tab, page } }) => {
    inBackground(queryClient.query({ ...depositQueueQuery(tab ?? 'waiting', page ?? 1), staleTime: 'static' }));
  },
  component: DepositsPage,
});
