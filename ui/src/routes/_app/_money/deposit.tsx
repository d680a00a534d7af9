import { createFileRoute } from '@tanstack/react-router';
import { receiversQuery } from '@/entities/wallet/queries';
import { statementQuery } from '@/features/wallet/statement/statement-query';
import { depositSearch } from '@/features/wallet/wallet-search';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/_money/deposit')({
  validateSearch: depositSearch,
  loader: ({ context: { queryClient } }) => prefetch(queryClient, receiversQuery, statementQuery({})),
});
