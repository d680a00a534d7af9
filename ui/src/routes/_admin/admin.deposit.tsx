import { createFileRoute } from '@tanstack/react-router';
import { depositQueueSearch } from '@/features/admin/admin-search';
import { DepositsPage } from '@/features/admin/deposits/deposits-page';
import { depositQueueQuery } from '@/features/admin/deposits/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/deposit')({
  validateSearch: depositQueueSearch,
  loader: ({ context: { queryClient }, location }) =>
    prefetch(queryClient, depositQueueQuery(depositQueueSearch(location.search))),
  component: DepositsPage,
});
