import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy } from 'react';
import type { AdminDeposit } from '@/api/contract';
import { useAhead } from '@/hooks/use-ahead';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { centsFromWire } from '@/lib/money';
import { depositQueueQuery } from '../queue/queries';
import { QueueScreen } from '../queue/queue-screen';
import type { QueueLine } from '../queue/queue-table';
import { useAdminList } from '../queue/use-admin-list';

// Its forms and their rules are only for those who open a row.
const loadReview = () => import('./deposit-review');
const DepositReview = lazy(loadReview);

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

/** /admin/deposit */
export function DepositsPage() {
  useAhead(loadReview);
  const t = useTexts(admin);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: depositQueueQuery, throws: true });
  return (
    <QueueScreen
      kind="deposits"
      to="/admin/deposit"
      list={list}
      waiting={useQuery(depositQueueQuery({})).data}
      amountOf={(row) => centsFromWire(row.claimedAmount)}
      lineOf={lineOf}
      heads={[t('methodAndId'), t('claimed')]}
      review={(review) => (
        <DepositReview key={review.row._id} {...review} secondAbove={centsFromWire(list.data?.secondAdminAbove ?? 0)} />
      )}
    />
  );
}
