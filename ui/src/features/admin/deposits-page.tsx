import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AdminDeposit } from '@/api/contract';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { centsFromWire, count } from '@/lib/money';
import { useNow } from '@/lib/time';
import { ageText } from './age';
import { DepositReview } from './deposit-review';
import { depositQueueQuery, PAGE_SIZE } from './queries';
import { QueuePage, type QueueTotals } from './queue-page';
import { QUEUE_TABS, type QueueTab } from './queue-search';
import { type QueueLine, QueueTable } from './queue-table';
import { type Reviewed, rowLinkId, useQueue } from './use-queue';

const route = getRouteApi('/_admin/admin/deposit');

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
  };
}

function useTotals(): QueueTotals | null {
  const { data } = useQuery(depositQueueQuery('waiting', 1));
  if (!data) return null;
  const cents = data.deposits.reduce((sum, row) => sum + centsFromWire(row.claimedAmount), 0);
  return { total: data.total, cents: data.pages <= 1 ? cents : null, oldest: data.deposits[0]?.createdAt };
}

function Tabs({ shown, waiting }: { shown: QueueTab; waiting: number | undefined }) {
  const t = useTexts(admin);
  return QUEUE_TABS.map((tab) => (
    <Link
      key={tab}
      to="/admin/deposit"
      search={tab === 'waiting' ? {} : { tab }}
      activeOptions={{ exact: true }}
      resetScroll={false}
      aria-current={tab === shown ? 'page' : undefined}
    >
      {t(`tab.${tab}`)}
      {tab === 'waiting' && waiting ? <span className="count">{count(waiting)}</span> : null}
    </Link>
  ));
}

function RowLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link
      from="/admin/deposit"
      search={(now) => ({ ...now, review: id })}
      id={rowLinkId(id)}
      className="qrow__link"
      resetScroll={false}
    >
      {children}
    </Link>
  );
}

/** /admin/deposit: the queue of deposits and the review beside it. */
export function DepositsPage() {
  const t = useTexts(admin);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tab = 'waiting', page = 1, review } = search;
  const query = useQuery({ ...depositQueueQuery(tab, page), throwOnError: (_, { state }) => state.data === undefined });
  const data = query.data;
  const rows = data?.deposits ?? [];
  const totals = useTotals();
  const queue = useQueue(rows, search, (change, replace) => void navigate({ search: change, replace, resetScroll: false }));
  const { reviewed } = queue;
  return (
    <QueuePage
      kind="deposits"
      tab={tab}
      page={page}
      list={data ? { rows: rows.length, pages: data.pages } : null}
      totals={totals}
      stale={query.isError ? { asOf: query.dataUpdatedAt, retry: () => void query.refetch() } : null}
      tabs={<Tabs shown={tab} waiting={totals?.total} />}
      table={
        <QueueTable
          lines={rows.map(lineOf)}
          label={t('deposits')}
          heads={[t('user'), t('methodAndId'), t('claimed'), t(tab === 'waiting' ? 'age' : 'status')]}
          selected={review}
          link={(id, children) => <RowLink id={id}>{children}</RowLink>}
        />
      }
      onPage={(wanted, replace = false) =>
        void navigate({ search: ({ tab: shown }) => ({ tab: shown, page: wanted === 1 ? undefined : wanted }), replace })
      }
    >
      {reviewed ? (
        <Reviewing
          reviewed={reviewed}
          queue={queue}
          first={(page - 1) * PAGE_SIZE}
          total={tab === 'waiting' ? (data?.total ?? 0) : 0}
        />
      ) : null}
    </QueuePage>
  );
}

type ReviewingProps = {
  reviewed: Reviewed<AdminDeposit>;
  queue: ReturnType<typeof useQueue<AdminDeposit>>;
  /** Rows on the pages before this one. */
  first: number;
  /** All waiting rows; 0 on the other tabs. */
  total: number;
};

function Reviewing({ reviewed: { row, position, listed }, queue, first, total }: ReviewingProps) {
  const t = useTexts(admin);
  const now = useNow();
  const what = total > 0 && listed ? t('review.deposit', { position: first + position + 1, total }) : t('review.plainDeposit');
  const waits = row.status === 'pending';
  const age = ageText(t, now - Date.parse(row.createdAt));
  return (
    <DepositReview
      key={row._id}
      row={row}
      listed={listed}
      eyebrow={waits ? t('review.waiting', { what, age }) : what}
      keep={queue.keep}
      onNext={queue.next}
      onClose={queue.close}
    />
  );
}
