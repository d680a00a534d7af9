import { createFileRoute } from '@tanstack/react-router';
import { chosenMethod } from '@/features/wallet/methods';
import { withdrawalsQuery } from '@/features/wallet/queries';
import { WithdrawPage } from '@/features/wallet/withdraw-page';
import { inBackground } from '@/lib/loading';
import { rateQuery } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';
import { walletQuery } from '@/lib/wallet';

export const Route = createFileRoute('/_app/withdraw')({
  validateSearch: (search) => chosenMethod(search.method),
  loader: () => {
    inBackground(
      queryClient.query({ ...walletQuery, staleTime: 'static' }),
      queryClient.query({ ...rateQuery, staleTime: 'static' }),
      queryClient.query({ ...withdrawalsQuery(1), staleTime: 'static' }),
    );
  },
  component: WithdrawPage,
});
