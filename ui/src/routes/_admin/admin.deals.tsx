import { createFileRoute } from '@tanstack/react-router';
import { dealSearch } from '@/features/admin/admin-search';
import { DealsPage } from '@/features/admin/deals/deals-page';
import { adminDealsQuery } from '@/features/admin/deals/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/deals')({
  validateSearch: dealSearch,
  loader: ({ context: { queryClient }, location }) => prefetch(queryClient, adminDealsQuery(dealSearch(location.search))),
  component: DealsPage,
});
