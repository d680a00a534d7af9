import { createFileRoute } from '@tanstack/react-router';
import { supportQuery } from '@/features/admin/deal-queries';
import { type ListSearch, listSearch } from '@/features/admin/list-search';
import { SupportPage } from '@/features/admin/support-page';
import { inBackground } from '@/lib/loading';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_admin/admin/support-requests')({
  validateSearch: (search): ListSearch => listSearch(search),
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: ({ deps: { page } }) => {
    inBackground(queryClient.query({ ...supportQuery(page ?? 1), staleTime: 'static' }));
  },
  component: SupportPage,
});
