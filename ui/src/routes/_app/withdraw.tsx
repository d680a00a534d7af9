import { createFileRoute } from '@tanstack/react-router';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { walletQuery } from '@/entities/wallet/queries';
import { withdrawalsQuery } from '@/features/wallet/queries';
import { methodSearch } from '@/features/wallet/wallet-search';
import { WithdrawPage } from '@/features/wallet/withdraw/withdraw-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/withdraw')({
  validateSearch: methodSearch,
  loader: ({ context: { queryClient } }) => {
    prefetch(queryClient, walletQuery, rateQuery, withdrawalsQuery(1));
  },
  component: WithdrawPage,
});
