import { createFileRoute } from '@tanstack/react-router';
import { adminDealsQuery } from '@/features/admin/deal-queries';
import { type DealSearch, dealSearch } from '@/features/admin/deal-search';
import { DealsPage } from '@/features/admin/deals-page';
import { inBackground } from '@/lib/loading';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_admin/admin/deals')({
  validateSearch: (search): DealSearch => dealSearch(search),
  loaderDeps: ({ search: { tab, status, dealId, page } }) => ({ tab, status, dealId, page }),
  loader: ({ deps }) => {
    inBackground(queryClient.query({ ...adminDealsQuery(deps), staleTime: 'static' }));
  },
  component: DealsPage,
});
