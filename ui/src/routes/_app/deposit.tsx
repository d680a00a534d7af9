import { createFileRoute } from '@tanstack/react-router';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { DepositPage } from '@/features/wallet/deposit/deposit-page';
import { depositsQuery, receiversQuery } from '@/features/wallet/queries';
import { depositSearch } from '@/features/wallet/wallet-search';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/deposit')({
  validateSearch: depositSearch,
  loader: ({ context: { queryClient } }) => {
    prefetch(queryClient, rateQuery, receiversQuery, depositsQuery(1));
  },
  component: DepositPage,
});
