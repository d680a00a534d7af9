import type { ReactNode } from 'react';
import type { Claim, DepositStatus, Operation, PaymentMethod, Requester, WithdrawalStatus } from '@/api/contract';
import { CASH, CODE, TAKA } from '@/components/classes';
import { EmptyState } from '@/components/empty-state';
import { UserName } from '@/entities/user/user-name';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { bdt, type Cents, centsFromWire, type Poisha, usd } from '@/lib/money';
import type { Rows } from '@/lib/rows';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import type { WithdrawalTab } from '../admin-search';
import { LIST_PAGE_SIZE } from './list-query';
import { QueuePage, type QueuePath, QueueTabs, type QueueTotals, RowLink } from './queue-page';
import { Age, ageText, OnIt, QueueCell, type QueueHeads, QueueRow, QueueRows } from './queue-rows';
import { type AdminList, type Reviewed, useRowReview } from './use-admin-list';

export type QueueLine = {
  id: string;
  user: Requester;
  reference: string;
  method: PaymentMethod;
  cents: Cents;
  /** The claimed amount, if another one was credited. */
  instead?: Cents | undefined;
  poisha: Poisha;
  since: string;
  status: DepositStatus | WithdrawalStatus;
  claim: Claim | null;
  /** Since when the admin of the claim may have sent the money. */
  openedAt?: string | null;
  operation: Operation | undefined;
  heldUntil?: string | null;
  marks?: readonly ('first' | 'disputed' | 'awaiting')[];
};

function State({ line, tab }: { line: QueueLine; tab: WithdrawalTab }) {
  const t = useTexts(admin);
  if (line.operation) return <span className="text-sm/[1.4] font-semibold">{t('processing')}</span>;
  if (tab === 'held' && line.heldUntil) return <span className="text-sm/[1.4]">{formatTime(line.heldUntil, 'moment')}</span>;
  if (line.status !== 'pending' || tab !== 'waiting') return <RequestBadge status={line.status} />;
  return (
    <>
      <Age since={line.since} />
      <OnIt claim={line.claim} openedAt={line.openedAt} />
    </>
  );
}

type LineProps = {
  line: QueueLine;
  selected: boolean;
  tab: WithdrawalTab;
  link: (children: ReactNode) => ReactNode;
};

function Line({ line, selected, tab, link }: LineProps) {
  const t = useTexts(admin);
  const tKhata = useTexts(khata);
  const under = 'block text-sm/[1.4]';
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name">
        {link(<UserName user={line.user} className="font-semibold" />)}
        <span className="block truncate text-sm/[1.4] text-muted-foreground">{line.user.email}</span>
      </QueueCell>
      <QueueCell column="what">
        <span className={cn(CODE, 'font-semibold')}>{line.reference}</span>
        <span className={cn(under, 'text-muted-foreground')}>{tKhata(`method.${line.method}`)}</span>
        {line.marks?.map((mark) => (
          <span key={mark} className={cn(under, 'font-semibold text-destructive')}>
            {t(`mark.${mark}`)}
          </span>
        ))}
      </QueueCell>
      <QueueCell column="sum">
        <span className={CASH}>{usd(line.cents)}</span>
        {line.instead === undefined ? null : (
          <s className={cn(under, 'text-subtle-foreground lining-nums tabular-nums')}>{usd(line.instead)}</s>
        )}
        <span className={cn(TAKA, under, 'leading-[1.4]')}>{bdt(line.poisha)}</span>
      </QueueCell>
      <QueueCell column="state">
        <State line={line} tab={tab} />
      </QueueCell>
    </QueueRow>
  );
}

type Props = {
  lines: readonly QueueLine[];
  label: string;
  heads: QueueHeads;
  selected: string | undefined;
  tab: WithdrawalTab;
  link: (id: string, children: ReactNode) => ReactNode;
};

function QueueTable({ lines, label, heads, selected, tab, link }: Props) {
  return (
    <QueueRows label={label} heads={heads}>
      {lines.map((line) => (
        <Line key={line.id} line={line} selected={line.id === selected} tab={tab} link={(children) => link(line.id, children)} />
      ))}
    </QueueRows>
  );
}

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

type Search = { tab?: WithdrawalTab | undefined; page?: number; review?: string };

type QueueScreenProps<S extends Search, R> = {
  kind: 'deposits' | 'withdrawals';
  to: QueuePath;
  tabs: readonly WithdrawalTab[];
  /** How many are held, on their own tab. */
  held?: number | undefined;
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

function totalsOf<S extends Search, R>({ waiting, amountOf, lineOf }: QueueScreenProps<S, R>): QueueTotals | null {
  if (!waiting) return null;
  const { rows, total, totalAmount } = waiting;
  const sum = () => rows.reduce((cents, row) => cents + amountOf(row), 0);
  const cents = totalAmount !== undefined ? centsFromWire(totalAmount) : total <= LIST_PAGE_SIZE ? sum() : null;
  return { total, cents, oldest: rows[0] && lineOf(rows[0]).since };
}

/** The position and age of the row; decided rows have none. */
function useEyebrow(kind: QueueScreenProps<Search, unknown>['kind']) {
  const t = useTexts(admin);
  const now = useNow();
  return (line: QueueLine, place: { position: number; total: number } | null) => {
    const what = place
      ? t(kind === 'deposits' ? 'review.deposit' : 'review.withdrawal', place)
      : t(kind === 'deposits' ? 'review.plainDeposit' : 'review.plainWithdrawal');
    return line.status === 'pending' ? t('review.waiting', { what, age: ageText(t, now - Date.parse(line.since)) }) : what;
  };
}

export function QueueScreen<S extends Search, R extends { _id: string }>(props: QueueScreenProps<S, R>) {
  const { kind, to, tabs, held, list, lineOf, heads, review, chosen = null, filter } = props;
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
      tabs={<QueueTabs to={to} tabs={tabs} shown={tab} totals={{ waiting: totals?.total, held }} />}
      filter={filter}
      table={
        <QueueTable
          lines={rows.map(lineOf)}
          label={t(kind)}
          heads={[t('user'), ...heads, t(tab === 'waiting' ? 'age' : tab === 'held' ? 'heldUntil' : 'status')]}
          selected={search.review}
          tab={tab}
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
