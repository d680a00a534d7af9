import { createFileRoute } from '@tanstack/react-router';
import { pendingDepositsQuery } from '@/entities/wallet/deposits';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { walletQuery } from '@/entities/wallet/queries';
import { BalancePage } from '@/features/wallet/balance/balance-page';
import { depositsQuery, walletHistoryQuery, withdrawalsQuery } from '@/features/wallet/queries';
import { prefetch } from '@/lib/prefetch';
import { oneOf, page, searchParams } from '@/lib/search-params';

/** The history and its page; deposits without `tab`. */
const validateSearch = searchParams({ tab: oneOf(['withdrawals']), page });

export const Route = createFileRoute('/_app/balance/')({
  validateSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { tab, page = 1 } }) => {
    prefetch(
      queryClient,
      walletQuery,
      rateQuery,
      walletHistoryQuery(30),
      pendingDepositsQuery,
      tab === 'withdrawals' ? withdrawalsQuery(page) : depositsQuery(page),
    );
  },
  component: BalancePage,
});
