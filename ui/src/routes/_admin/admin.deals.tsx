import { createFileRoute } from '@tanstack/react-router';
import { dealSearch } from '@/features/admin/admin-search';
import { DealsPage } from '@/features/admin/deals/deals-page';
import { adminDealsQuery } from '@/features/admin/deals/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/deals')({
  validateSearch: dealSearch,
  loaderDeps: ({ search: { tab, status, dealId, page } }) => ({ tab, status, dealId, page }),
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, adminDealsQuery(deps));
  },
  component: DealsPage,
});
