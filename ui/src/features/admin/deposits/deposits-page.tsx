import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { AdminDeposit } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { lazyPart } from '@/components/lazy-part';
import { Button } from '@/components/ui/button';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { adminDeposits } from '@/i18n/en/admin-deposits';
import { centsFromWire } from '@/lib/money';
import { QueueScreen } from '../queue/queue-screen';
import type { QueueLine } from '../queue/queue-table';
import { useAdminList } from '../queue/use-admin-list';
import type { DepositQueueSearch } from './deposit-search';
import { DepositsFilter } from './deposits-filter';
import { depositQueueQuery } from './queue-query';

const loadReview = () => import('./deposit-review');
const DepositReview = lazyPart(loadReview, ({ onClose }) => onClose());

const route = getRouteApi('/_admin/admin/deposit');

const marksOf = (row: AdminDeposit): ('first' | 'disputed' | 'awaiting')[] => [
  ...(row.history.completed === 0 ? (['first'] as const) : []),
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

/** The result of the previous row, shown on the row opened after it. */
type Before = { on: string; outcome: string };

const isChosen = ({ search, method, payer }: DepositQueueSearch) =>
  search !== undefined || method !== undefined || payer !== undefined;

export function DepositsPage() {
  useAhead(loadReview);
  const t = useTexts(admin);
  const tAdminDeposits = useTexts(adminDeposits);
  const list = useAdminList({
    search: route.useSearch(),
    navigate: route.useNavigate(),
    query: depositQueueQuery,
    throws: true,
  });
  const waiting = useQuery(depositQueueQuery({})).data;
  const [before, setBefore] = useState<Before | null>(null);
  const { search, data } = list;
  const { tab, sort, ...rest } = search;
  const clear = () => list.choose({ ...(tab ? { tab } : {}), ...(sort ? { sort } : {}) });
  const chosen =
    (isChosen(rest) || tab !== undefined) && data
      ? {
          totals: { total: data.total, cents: centsFromWire(data.totalAmount), oldest: undefined, found: true },
          empty: isChosen(rest) ? (
            <EmptyState title={tAdminDeposits('none')} text={tAdminDeposits('noneText')}>
              <Button variant="outline" onClick={clear}>
                {tAdminDeposits('clear')}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState title={t('empty.deposits.other')} />
          ),
        }
      : null;
  return (
    <QueueScreen
      kind="deposits"
      to="/admin/deposit"
      list={list}
      waiting={waiting}
      amountOf={(row) => centsFromWire(row.claimedAmount)}
      lineOf={lineOf}
      heads={[t('methodAndId'), t('claimed')]}
      chosen={chosen}
      filter={
        <DepositsFilter
          search={search}
          found={data && isChosen(rest) ? tAdminDeposits('found', { count: data.total }) : ''}
          onChoose={(wanted, replace) => list.choose({ ...(tab ? { tab } : {}), ...wanted }, replace)}
        />
      }
      review={(review) => (
        <DepositReview
          key={review.row._id}
          {...review}
          secondAbove={centsFromWire(data?.secondAdminAbove ?? 0)}
          before={before?.on === review.row._id ? before.outcome : null}
          onDecided={(outcome) => {
            // On other tabs, most rows are decided already.
            if (tab !== undefined || review.nextId === null) return;
            setBefore({ on: review.nextId, outcome });
            review.onNext?.();
          }}
        />
      )}
    />
  );
}
