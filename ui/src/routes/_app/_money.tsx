import { createFileRoute } from '@tanstack/react-router';
import { pendingDepositsQuery } from '@/entities/wallet/deposits';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { walletQuery } from '@/entities/wallet/queries';
import { BalancePage } from '@/features/wallet/balance/balance-page';
import { pendingWithdrawalsQuery, recentDepositsQuery } from '@/features/wallet/queries';
import { prefetch } from '@/lib/prefetch';

/** /deposit and /withdraw are this page, too, with a dialog open over it. */
export const Route = createFileRoute('/_app/_money')({
  loader: ({ context: { queryClient } }) =>
    prefetch(queryClient, walletQuery, rateQuery, pendingDepositsQuery, pendingWithdrawalsQuery, recentDepositsQuery),
  component: BalancePage,
});
