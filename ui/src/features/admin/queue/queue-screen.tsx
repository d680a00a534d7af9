import type { ReactNode } from 'react';
import { EmptyState } from '@/components/empty-state';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { useNow } from '@/lib/time';
import { ageText } from './age';
import { QUEUE_PAGE_SIZE } from './queries';
import { type QueuePath, QueueTabs, RowLink } from './queue-links';
import { QueuePage, type QueueTotals } from './queue-page';
import type { QueueSearch } from './queue-search';
import { type QueueLine, QueueTable } from './queue-table';
import { type Reviewed, useQueue } from './use-queue';

/** What the review of a row gets. */
export type ReviewProps<R> = {
  row: R;
  /** Whether the row is still on the page of the list that is shown. */
  listed: boolean;
  /** "Deposit 3 of 7, waiting 46 min" */
  eyebrow: string;
  /** Takes the row as an answer has it. */
  keep: (row: R) => void;
  /** To the row after it; null where there is none. */
  onNext: (() => void) | null;
  onClose: () => void;
};

type Loaded<R> = { rows: readonly R[]; pages: number; total: number };
type Query = { isError: boolean; dataUpdatedAt: number; refetch: () => unknown };

type Props<R> = {
  kind: 'deposits' | 'withdrawals';
  to: QueuePath;
  search: QueueSearch;
  onSearch: (change: (now: QueueSearch) => QueueSearch, replace: boolean) => void;
  /** The page of the list; null while it loads. */
  loaded: Loaded<R> | null;
  query: Query;
  totals: QueueTotals | null;
  lineOf: (row: R) => QueueLine;
  heads: readonly [reference: string, amount: string];
  review: (props: ReviewProps<R>) => ReactNode;
};

/** Where the row stands in the queue, and for how long. Only the waiting ones have a place. */
function useEyebrow(kind: Props<unknown>['kind']) {
  const t = useTexts(admin);
  const now = useNow();
  return (line: QueueLine, place: { position: number; total: number } | null) => {
    const what = place
      ? t(kind === 'deposits' ? 'review.deposit' : 'review.withdrawal', place)
      : t(kind === 'deposits' ? 'review.plainDeposit' : 'review.plainWithdrawal');
    return line.status === 'pending' ? t('review.waiting', { what, age: ageText(t, now - Date.parse(line.since)) }) : what;
  };
}

/** A queue of requests, and beside it the review of the one that is open. */
export function QueueScreen<R extends { _id: string }>(props: Props<R>) {
  const { kind, to, search, onSearch, loaded, query, totals, lineOf, heads, review } = props;
  const t = useTexts(admin);
  const { tab = 'waiting', page = 1 } = search;
  const rows = loaded?.rows ?? [];
  const { reviewed, keep, next, close } = useQueue(rows, search, onSearch);
  const eyebrow = useEyebrow(kind);
  const placeOf = ({ listed, position }: Reviewed<R>) =>
    listed && loaded && tab === 'waiting' ? { position: (page - 1) * QUEUE_PAGE_SIZE + position + 1, total: loaded.total } : null;
  return (
    <QueuePage
      title={t(kind === 'deposits' ? 'depositsPage' : 'withdrawalsPage')}
      heading={t(kind)}
      page={page}
      list={loaded ? { rows: rows.length, pages: loaded.pages } : null}
      totals={totals}
      stale={query.isError ? { asOf: query.dataUpdatedAt, retry: () => void query.refetch() } : null}
      tabs={<QueueTabs to={to} shown={tab} waiting={totals?.total} />}
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
        tab === 'waiting' ? (
          <EmptyState title={t(`empty.${kind}.waiting`)} text={t('empty.waitingText')} />
        ) : (
          <EmptyState title={t(`empty.${kind}.other`)} />
        )
      }
      onPage={(wanted, replace = false) =>
        onSearch((now) => ({ ...now, page: wanted === 1 ? undefined : wanted, review: undefined }), replace)
      }
    >
      {reviewed
        ? review({
            row: reviewed.row,
            listed: reviewed.listed,
            eyebrow: eyebrow(lineOf(reviewed.row), placeOf(reviewed)),
            keep,
            onNext: next,
            onClose: close,
          })
        : null}
    </QueuePage>
  );
}
