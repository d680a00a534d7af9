import { createFileRoute } from '@tanstack/react-router';
import { lastWithdrawalQuery } from '@/features/wallet/queries';
import { statementQuery } from '@/features/wallet/statement/statement-query';
import { methodSearch } from '@/features/wallet/wallet-search';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/_money/withdraw')({
  validateSearch: methodSearch,
  loader: ({ context: { queryClient } }) => prefetch(queryClient, lastWithdrawalQuery, statementQuery({})),
});
