import { createFileRoute } from '@tanstack/react-router';
import { paymentSearch } from '@/features/admin/admin-search';
import { PaymentsPage } from '@/features/admin/payments/payments-page';
import { accountsQuery, paymentsQuery } from '@/features/admin/payments/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/payments')({
  validateSearch: paymentSearch,
  loader: ({ context: { queryClient }, location }) =>
    prefetch(queryClient, accountsQuery, paymentsQuery(paymentSearch(location.search))),
  component: PaymentsPage,
});
