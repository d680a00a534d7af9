import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { AdminDeposit } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { lazyPart } from '@/components/lazy-part';
import { Button } from '@/components/ui/button';
import { NativeSelect } from '@/components/ui/native-select';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { admin, adminDeposits } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { centsFromWire } from '@/lib/money';
import { DEPOSIT_METHODS, DEPOSIT_SORTS, type DepositQueueSearch, PAYERS, QUEUE_TABS } from '../admin-search';
import { type QueueLine, QueueScreen } from '../queue/queue-screen';
import { SearchFilter } from '../queue/search-filter';
import { useAdminList } from '../queue/use-admin-list';
import { depositQueueQuery } from './queries';

type Chosen = Pick<DepositQueueSearch, 'search' | 'method' | 'payer' | 'sort'>;
type Props = {
  search: DepositQueueSearch;
  found: string;
  onChoose: (chosen: Chosen, replace: boolean) => void;
};

function DepositsFilter({ search, found, onChoose }: Props) {
  const t = useTexts(adminDeposits);
  const tKhata = useTexts(khata);
  const usual = (search.tab ?? 'waiting') === 'waiting' ? 'oldest' : 'newest';
  return (
    <SearchFilter
      label={t('search')}
      search={search.search}
      found={found}
      onSearch={(wanted) => onChoose({ search: wanted }, true)}
    >
      <NativeSelect
        className="min-h-11 w-auto min-w-0 flex-[1_1_130px] py-1.5"
        aria-label={t('method')}
        value={search.method ?? ''}
        onChange={({ target }) => onChoose({ method: DEPOSIT_METHODS.find((method) => method === target.value) }, false)}
      >
        <option value="">{t('anyMethod')}</option>
        {DEPOSIT_METHODS.map((method) => (
          <option key={method} value={method}>
            {tKhata(`method.${method}`)}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        className="min-h-11 w-auto min-w-0 flex-[1_1_130px] py-1.5"
        aria-label={t('payer')}
        value={search.payer ?? ''}
        onChange={({ target }) => onChoose({ payer: PAYERS.find((payer) => payer === target.value) }, false)}
      >
        <option value="">{t('anyPayer')}</option>
        {PAYERS.map((payer) => (
          <option key={payer} value={payer}>
            {t(`payer.${payer}`)}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        className="min-h-11 w-auto min-w-0 flex-[1_1_130px] py-1.5"
        aria-label={t('sort')}
        value={search.sort ?? usual}
        onChange={({ target }) => {
          const sort = DEPOSIT_SORTS.find((one) => one === target.value);
          onChoose({ sort: sort === usual ? undefined : sort }, false);
        }}
      >
        {DEPOSIT_SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {t(`sort.${sort}`)}
          </option>
        ))}
      </NativeSelect>
    </SearchFilter>
  );
}

const loadReview = () => import('./deposit-review');
const DepositReview = lazyPart(loadReview, ({ onClose }) => onClose());

const route = getRouteApi('/_admin/admin/deposit');

const marksOf = (row: AdminDeposit): ('first' | 'disputed' | 'awaiting')[] => [
  ...(row.history.approved === 0 ? (['first'] as const) : []),
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
  const clear = () => list.choose({ search: undefined, method: undefined, payer: undefined });
  const chosen =
    (isChosen(search) || search.tab !== undefined) && data
      ? {
          totals: { total: data.total, cents: centsFromWire(data.totalAmount), oldest: undefined, found: true },
          empty: isChosen(search) ? (
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
      tabs={QUEUE_TABS}
      list={list}
      waiting={waiting}
      amountOf={(row) => centsFromWire(row.claimedAmount)}
      lineOf={lineOf}
      heads={[t('methodAndId'), t('claimed')]}
      chosen={chosen}
      filter={
        <DepositsFilter
          search={search}
          found={data && isChosen(search) ? tAdminDeposits('found', { count: data.total }) : ''}
          onChoose={list.choose}
        />
      }
      review={(review) => (
        <DepositReview
          key={review.row._id}
          {...review}
          secondAbove={centsFromWire(data?.secondAdminAbove ?? 0)}
          takaAbove={centsFromWire(data?.receivedTakaAbove ?? 0)}
          before={before?.on === review.row._id ? before.outcome : null}
          onDecided={(outcome) => {
            // On other tabs, most rows are decided already.
            if (search.tab !== undefined || review.nextId === null) return;
            setBefore({ on: review.nextId, outcome });
            review.onNext?.();
          }}
        />
      )}
    />
  );
}
