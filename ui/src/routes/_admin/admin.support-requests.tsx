import { createFileRoute } from '@tanstack/react-router';
import { supportSearch } from '@/features/admin/admin-search';
import { supportQuery } from '@/features/admin/deals/queries';
import { SupportRequestsPage } from '@/features/admin/support/support-requests-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/support-requests')({
  validateSearch: supportSearch,
  loader: ({ context: { queryClient }, location }) => prefetch(queryClient, supportQuery(supportSearch(location.search))),
  component: SupportRequestsPage,
});
