import { createFileRoute, redirect } from '@tanstack/react-router';
import { statementSearch } from '@/features/wallet/wallet-search';

/** The statement's address before it was on /balance. */
export const Route = createFileRoute('/_app/balance/statement/')({
  validateSearch: statementSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/balance', search, replace: true });
  },
});
