import type { ReactNode } from 'react';
import { EmptyState } from '@/components/empty-state';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { type Cents, centsFromWire } from '@/lib/money';
import type { Rows } from '@/lib/rows';
import { useNow } from '@/lib/server-clock';
import { ageText } from './age';
import { LIST_PAGE_SIZE } from './list-query';
import { type QueuePath, QueueTabs, RowLink } from './queue-links';
import { QueuePage, type QueueTotals } from './queue-page';
import type { QueueSearch } from './queue-search';
import { type QueueLine, QueueTable } from './queue-table';
import type { AdminList } from './use-admin-list';
import { type Reviewed, useRowReview } from './use-row-review';

export type ReviewProps<R> = {
  row: R;
  listed: boolean;
  /** "Deposit 3 of 7, waiting 46 min" */
  eyebrow: string;
  keep: (row: R) => void;
  /** Opens the next row; null without one. */
  onNext: (() => void) | null;
  nextId: string | null;
  onClose: () => void;
};

type Props<S extends QueueSearch, R> = {
  kind: 'deposits' | 'withdrawals';
  to: QueuePath;
  list: AdminList<S, R> & { data: { total: number } | null };
  waiting: (Rows<R> & { totalAmount?: number }) | undefined;
  /** The totals of the filtered rows, and the text if there are none. */
  chosen?: { totals: QueueTotals; empty: ReactNode } | null;
  filter?: ReactNode;
  amountOf: (row: R) => Cents;
  lineOf: (row: R) => QueueLine;
  heads: readonly [reference: string, amount: string];
  review: (props: ReviewProps<R>) => ReactNode;
};

function totalsOf<S extends QueueSearch, R>({ waiting, amountOf, lineOf }: Props<S, R>): QueueTotals | null {
  if (!waiting) return null;
  const { rows, total, totalAmount } = waiting;
  const sum = () => rows.reduce((cents, row) => cents + amountOf(row), 0);
  const cents = totalAmount !== undefined ? centsFromWire(totalAmount) : total <= LIST_PAGE_SIZE ? sum() : null;
  return { total, cents, oldest: rows[0] && lineOf(rows[0]).since };
}

/** The position and age of the row; decided rows have none. */
function useEyebrow(kind: Props<QueueSearch, unknown>['kind']) {
  const t = useTexts(admin);
  const now = useNow();
  return (line: QueueLine, place: { position: number; total: number } | null) => {
    const what = place
      ? t(kind === 'deposits' ? 'review.deposit' : 'review.withdrawal', place)
      : t(kind === 'deposits' ? 'review.plainDeposit' : 'review.plainWithdrawal');
    return line.status === 'pending' ? t('review.waiting', { what, age: ageText(t, now - Date.parse(line.since)) }) : what;
  };
}

export function QueueScreen<S extends QueueSearch, R extends { _id: string }>(props: Props<S, R>) {
  const { kind, to, list, lineOf, heads, review, chosen = null, filter } = props;
  const t = useTexts(admin);
  const { rows, page, search } = list;
  const { tab = 'waiting' } = search;
  const totals = totalsOf(props);
  const { reviewed, ...way } = useRowReview(list);
  const eyebrow = useEyebrow(kind);
  const placeOf = ({ listed, position }: Reviewed<R>) =>
    listed && list.data && tab === 'waiting'
      ? { position: (page - 1) * LIST_PAGE_SIZE + position + 1, total: list.data.total }
      : null;
  return (
    <QueuePage
      title={t(kind === 'deposits' ? 'depositsPage' : 'withdrawalsPage')}
      heading={t(kind)}
      list={list}
      totals={chosen ? chosen.totals : totals}
      tabs={<QueueTabs to={to} shown={tab} waiting={totals?.total} />}
      filter={filter}
      table={
        <QueueTable
          lines={rows.map(lineOf)}
          label={t(kind)}
          heads={[t('user'), ...heads, t(tab === 'waiting' ? 'age' : 'status')]}
          selected={search.review}
          ages={tab === 'waiting'}
          link={(id, children) => (
            <RowLink to={to} id={id}>
              {children}
            </RowLink>
          )}
        />
      }
      empty={
        chosen ? (
          chosen.empty
        ) : tab === 'waiting' ? (
          <EmptyState title={t(`empty.${kind}.waiting`)} text={t('empty.waitingText')} />
        ) : (
          <EmptyState title={t(`empty.${kind}.other`)} />
        )
      }
    >
      {reviewed
        ? review({
            row: reviewed.row,
            listed: reviewed.listed,
            eyebrow: eyebrow(lineOf(reviewed.row), placeOf(reviewed)),
            ...way,
          })
        : null}
    </QueuePage>
  );
}
