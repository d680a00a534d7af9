import { createFileRoute } from '@tanstack/react-router';
import { supportQuery } from '@/features/admin/deals/queries';
import { listSearch } from '@/features/admin/queue/list-search';
import { SupportRequestsPage } from '@/features/admin/support/support-requests-page';
import { prefetch } from '@/lib/prefetch';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_admin/admin/support-requests')({
  validateSearch: listSearch,
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: ({ deps }) => {
    prefetch(queryClient.query({ ...supportQuery(deps), staleTime: 'static' }));
  },
  component: SupportRequestsPage,
});
