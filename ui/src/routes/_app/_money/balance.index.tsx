import { createFileRoute } from '@tanstack/react-router';
import { statementQuery } from '@/features/wallet/statement/statement-query';
import { statementSearch } from '@/features/wallet/wallet-search';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/_money/balance/')({
  validateSearch: statementSearch,
  loader: ({ context: { queryClient }, location }) => prefetch(queryClient, statementQuery(statementSearch(location.search))),
});
