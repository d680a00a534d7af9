import { createFileRoute } from '@tanstack/react-router';
import { StatementPage } from '@/features/wallet/statement/statement-page';
import { statementQuery } from '@/features/wallet/statement/statement-query';
import { statementSearch } from '@/features/wallet/wallet-search';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/balance/statement/')({
  validateSearch: statementSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => prefetch(queryClient, statementQuery(deps)),
  component: StatementPage,
});
