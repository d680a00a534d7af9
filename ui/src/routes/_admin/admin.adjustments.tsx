import { createFileRoute } from '@tanstack/react-router';
import { AdminAdjustmentsPage } from '@/features/admin/adjustments/adjustments-page';
import { adjustmentsQuery } from '@/features/admin/adjustments/queries';
import { adjustmentSearch } from '@/features/admin/admin-search';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/adjustments')({
  validateSearch: adjustmentSearch,
  loaderDeps: ({ search: { tab, search, page } }) => ({ tab, search, page }),
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, adjustmentsQuery(deps));
  },
  component: AdminAdjustmentsPage,
});
