import { createFileRoute } from '@tanstack/react-router';
import { DepositPage } from '@/features/wallet/deposit-page';
import { chosenMethod } from '@/features/wallet/methods';
import { depositsQuery, receiversQuery } from '@/features/wallet/queries';
import { inBackground } from '@/lib/loading';
import { rateQuery } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_app/deposit')({
  validateSearch: (search) => chosenMethod(search.method),
  loader: () => {
    inBackground(
      queryClient.query({ ...rateQuery, staleTime: 'static' }),
      queryClient.query({ ...receiversQuery, staleTime: 'static' }),
      queryClient.query({ ...depositsQuery(1), staleTime: 'static' }),
    );
  },
  component: DepositPage,
});
