import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AdminWithdrawal } from '@/api/contract';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { groupedPhone } from '@/lib/mobile-money';
import { centsFromWire, count, localDigits } from '@/lib/money';
import { useNow } from '@/lib/time';
import { ageText } from './age';
import { WithdrawalReview } from './withdrawal-review';
import { withdrawalQueueQuery, PAGE_SIZE } from './queries';
import { QueuePage, type QueueTotals } from './queue-page';
import { QUEUE_TABS, type QueueTab } from './queue-search';
import { type QueueLine, QueueTable } from './queue-table';
import { type Reviewed, rowLinkId, useQueue } from './use-queue';

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

function Tabs({ shown, waiting }: { shown: QueueTab; waiting: number | undefined }) {
  const t = useTexts(admin);
  return QUEUE_TABS.map((tab) => (
    <Link
      key={tab}
      to="/admin/withdrawal"
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
      from="/admin/withdrawal"
      search={(now) => ({ ...now, review: id })}
      id={rowLinkId(id)}
      className="qrow__link"
      resetScroll={false}
    >
      {children}
    </Link>
  );
}

/** /admin/withdrawal: the queue of withdrawals and the review beside it. */
export function WithdrawalsPage() {
  const t = useTexts(admin);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tab = 'waiting', page = 1, review } = search;
  const query = useQuery({ ...withdrawalQueueQuery(tab, page), throwOnError: (_, { state }) => state.data === undefined });
  const data = query.data;
  const rows = data?.withdrawals ?? [];
  const totals = useTotals();
  const queue = useQueue(rows, search, (change, replace) => void navigate({ search: change, replace, resetScroll: false }));
  const { reviewed } = queue;
  return (
    <QueuePage
      kind="withdrawals"
      tab={tab}
      page={page}
      list={data ? { rows: rows.length, pages: data.pages } : null}
      totals={totals}
      stale={query.isError ? { asOf: query.dataUpdatedAt, retry: () => void query.refetch() } : null}
      tabs={<Tabs shown={tab} waiting={totals?.total} />}
      table={
        <QueueTable
          lines={rows.map(lineOf)}
          label={t('withdrawals')}
          heads={[t('user'), t('methodAndNumber'), t('amount'), t(tab === 'waiting' ? 'age' : 'status')]}
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
  reviewed: Reviewed<AdminWithdrawal>;
  queue: ReturnType<typeof useQueue<AdminWithdrawal>>;
  /** Rows on the pages before this one. */
  first: number;
  /** All waiting rows; 0 on the other tabs. */
  total: number;
};

function Reviewing({ reviewed: { row, position, listed }, queue, first, total }: ReviewingProps) {
  const t = useTexts(admin);
  const now = useNow();
  const what =
    total > 0 && listed ? t('review.withdrawal', { position: first + position + 1, total }) : t('review.plainWithdrawal');
  const waits = row.status === 'pending';
  const age = ageText(t, now - Date.parse(row.requestedAt));
  return (
    <WithdrawalReview
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
