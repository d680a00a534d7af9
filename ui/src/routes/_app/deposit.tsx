import { createFileRoute } from '@tanstack/react-router';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { DepositPage } from '@/features/wallet/deposit/deposit-page';
import { depositSearch } from '@/features/wallet/deposit/deposit-search';
import { depositsQuery, receiversQuery } from '@/features/wallet/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/deposit')({
  validateSearch: depositSearch,
  loader: ({ context: { queryClient } }) => {
    prefetch(
      queryClient.query({ ...rateQuery, staleTime: 'static' }),
      queryClient.query({ ...receiversQuery, staleTime: 'static' }),
      queryClient.query({ ...depositsQuery(1), staleTime: 'static' }),
    );
  },
  component: DepositPage,
});
