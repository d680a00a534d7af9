import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AdminWithdrawal } from '@/api/contract';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { centsFromWire, localDigits } from '@/lib/money';
import { withdrawalQueueQuery } from '../queue/queries';
import type { QueueTotals } from '../queue/queue-page';
import { QueueScreen } from '../queue/queue-screen';
import type { QueueLine } from '../queue/queue-table';
import { WithdrawalReview } from './withdrawal-review';

const route = getRouteApi('/_admin/admin/withdrawal');

function lineOf(row: AdminWithdrawal): QueueLine {
  return {
    id: row._id,
    user: row.user,
    reference: localDigits(groupedPhone(row.phonenumber)),
    method: row.paymentMethod,
    cents: centsFromWire(row.amount),
    poisha: centsFromWire(row.convertedAmount),
    since: row.requestedAt,
    status: row.status,
    claim: row.claim,
    operation: row.operation,
  };
}

function useTotals(): QueueTotals | null {
  const { data } = useQuery(withdrawalQueueQuery('waiting', 1));
  if (!data) return null;
  const cents = data.withdrawals.reduce((sum, row) => sum + centsFromWire(row.amount), 0);
  return { total: data.total, cents: data.pages <= 1 ? cents : null, oldest: data.withdrawals[0]?.requestedAt };
}

/** /admin/withdrawal */
export function WithdrawalsPage() {
  const t = useTexts(admin);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tab = 'waiting', page = 1 } = search;
  const query = useQuery({ ...withdrawalQueueQuery(tab, page), throwOnError: (_, { state }) => state.data === undefined });
  const { data } = query;
  return (
    <QueueScreen
      kind="withdrawals"
      to="/admin/withdrawal"
      search={search}
      onSearch={(change, replace) => void navigate({ search: change, replace, resetScroll: false })}
      loaded={data ? { rows: data.withdrawals, pages: data.pages, total: data.total } : null}
      query={query}
      totals={useTotals()}
      lineOf={lineOf}
      heads={[t('methodAndNumber'), t('amount')]}
      review={(review) => <WithdrawalReview key={review.row._id} {...review} />}
    />
  );
}
