import { createFileRoute } from '@tanstack/react-router';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { DepositPage } from '@/features/wallet/deposit/deposit-page';
import { depositsQuery, receiversQuery } from '@/features/wallet/queries';
import { methodSearch } from '@/features/wallet/request/methods';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/deposit')({
  validateSearch: methodSearch,
  loader: ({ context: { queryClient } }) => {
    prefetch(
      queryClient.query({ ...rateQuery, staleTime: 'static' }),
      queryClient.query({ ...receiversQuery, staleTime: 'static' }),
      queryClient.query({ ...depositsQuery(1), staleTime: 'static' }),
    );
  },
  component: DepositPage,
});
