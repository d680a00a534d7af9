import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AdminDeposit } from '@/api/contract';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { centsFromWire } from '@/lib/money';
import { depositQueueQuery } from '../queue/queries';
import type { QueueTotals } from '../queue/queue-page';
import { QueueScreen } from '../queue/queue-screen';
import type { QueueLine } from '../queue/queue-table';
import { DepositReview } from './deposit-review';

const route = getRouteApi('/_admin/admin/deposit');

const marksOf = (row: AdminDeposit): ('disputed' | 'awaiting')[] => [
  ...(row.disputed ? (['disputed'] as const) : []),
  ...(row.awaitingConfirmation ? (['awaiting'] as const) : []),
];

function lineOf(row: AdminDeposit): QueueLine {
  const changed = row.status === 'completed' && row.amount !== row.claimedAmount;
  return {
    id: row._id,
    user: row.user,
    reference: row.transactionId,
    method: row.paymentMethod,
    cents: centsFromWire(row.amount),
    instead: changed ? centsFromWire(row.claimedAmount) : undefined,
    poisha: centsFromWire(row.convertedAmount),
    since: row.createdAt,
    status: row.status,
    claim: row.claim,
    operation: row.operation,
    marks: row.status === 'pending' ? marksOf(row) : [],
  };
}

function useTotals(): QueueTotals | null {
  const { data } = useQuery(depositQueueQuery('waiting', 1));
  if (!data) return null;
  const cents = data.deposits.reduce((sum, row) => sum + centsFromWire(row.claimedAmount), 0);
  return { total: data.total, cents: data.pages <= 1 ? cents : null, oldest: data.deposits[0]?.createdAt };
}

/** /admin/deposit */
export function DepositsPage() {
  const t = useTexts(admin);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tab = 'waiting', page = 1 } = search;
  const query = useQuery({ ...depositQueueQuery(tab, page), throwOnError: (_, { state }) => state.data === undefined });
  const { data } = query;
  return (
    <QueueScreen
      kind="deposits"
      to="/admin/deposit"
      search={search}
      onSearch={(change, replace) => void navigate({ search: change, replace, resetScroll: false })}
      loaded={data ? { rows: data.deposits, pages: data.pages, total: data.total } : null}
      query={query}
      totals={useTotals()}
      lineOf={lineOf}
      heads={[t('methodAndId'), t('claimed')]}
      review={(review) => (
        <DepositReview key={review.row._id} {...review} secondAbove={centsFromWire(data?.secondAdminAbove ?? 0)} />
      )}
    />
  );
}
