import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Deposit, PaymentMethod, Withdrawal } from '@/api/contract';
import { CARD_CELL, CASH, CODE } from '@/components/classes';
import { EmptyState } from '@/components/empty-state';
import { LoadFailed } from '@/components/load-failed';
import { SkeletonPage } from '@/components/skeleton-page';
import { Skeleton } from '@/components/ui/skeleton';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { type Translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { money } from '@/i18n/en/components';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { amount, bdt, type Cents, centsFromWire, localDigits, type Poisha, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { depositsQuery, useLoadFailure, withdrawalsQuery } from '../queries';

type HistoryRow = {
  id: string;
  at: string;
  method: PaymentMethod;
  page: boolean;
  /** The transaction id of a deposit, the phone number of a withdrawal. */
  reference: string;
  status: Deposit['status'] | Withdrawal['status'];
  cents: Cents;
  poisha: Poisha;
  incoming: boolean;
  /** No money moved: the amounts are struck out. */
  failed: boolean;
  remarks: string[];
};

type T = Translate<typeof wallet>;

function depositRow(t: T, deposit: Deposit): HistoryRow {
  const { amount, claimedAmount, status, reason, reasonCode, disputed } = deposit;
  const changed = status === 'completed' && amount !== claimedAmount;
  const remarks = changed ? [t('credited', { sum: usd(centsFromWire(amount)), claimed: usd(centsFromWire(claimedAmount)) })] : [];
  return {
    id: deposit._id,
    page: true,
    at: deposit.createdAt,
    method: deposit.paymentMethod,
    reference: deposit.transactionId,
    status,
    cents: centsFromWire(amount),
    poisha: centsFromWire(deposit.convertedAmount),
    incoming: true,
    failed: status === 'Failed',
    remarks: [
      ...remarks,
      // An admin's own text needs no label.
      ...(status === 'Failed' && reasonCode !== null && reasonCode !== 'other' ? [t(`why.${reasonCode}`)] : []),
      ...(reason ? [t('reason', { reason })] : []),
      ...(disputed && status === 'pending' ? [t('disputed')] : []),
    ],
  };
}

function withdrawalRow(t: T, withdrawal: Withdrawal): HistoryRow {
  const { transactionId, reason, status, cancelledAt } = withdrawal;
  return {
    id: withdrawal._id,
    page: false,
    at: withdrawal.requestedAt,
    method: withdrawal.paymentMethod,
    reference: localDigits(groupedPhone(withdrawal.phonenumber)),
    status,
    cents: centsFromWire(withdrawal.amount),
    poisha: centsFromWire(withdrawal.convertedAmount),
    incoming: false,
    failed: status === 'failed',
    remarks: [
      ...(transactionId ? [t('payoutId', { id: transactionId })] : []),
      ...(reason ? [t('reason', { reason })] : []),
      ...(cancelledAt === null ? [] : [t('cancelled')]),
    ],
  };
}

function Sum({ row }: { row: HistoryRow }) {
  const text = `${row.incoming ? '+' : '−'} ${amount(row.cents)}`;
  return row.failed ? <s className="text-subtle-foreground">{text}</s> : text;
}

function Taka({ row }: { row: HistoryRow }) {
  const text = bdt(row.poisha);
  return row.failed ? <s>{text}</s> : text;
}

/** The id or number, linked to the row's page. The whole row is the target. */
function Reference({ row }: { row: HistoryRow }) {
  if (!row.page) return row.reference;
  return (
    <Link to="/balance/deposits/$depositId" params={{ depositId: row.id }} className="after:absolute after:inset-0">
      {row.reference}
    </Link>
  );
}

const END = 'max-wide:col-start-2 max-wide:justify-self-end';

function Row({ row }: { row: HistoryRow }) {
  const t = useTexts(khata);
  return (
    <TableRow
      className={cn(
        'max-wide:grid max-wide:grid-cols-[minmax(0,1fr)_auto] max-wide:items-center max-wide:gap-x-3 max-wide:gap-y-0.5 max-wide:border-b max-wide:py-3',
        row.page && 'relative',
      )}
    >
      <TableCell
        className={cn(
          CARD_CELL,
          'whitespace-nowrap text-muted-foreground lining-nums tabular-nums max-wide:row-start-2 max-wide:text-sm',
        )}
      >
        <time dateTime={row.at}>{formatTime(row.at, 'moment')}</time>
      </TableCell>
      <TableCell className={cn(CARD_CELL, 'max-wide:row-start-1 max-wide:font-semibold')}>{t(`method.${row.method}`)}</TableCell>
      <TableCell className="max-wide:contents">
        <span className={cn(CODE, 'max-wide:row-start-3 max-wide:text-sm max-wide:text-muted-foreground')}>
          <Reference row={row} />
        </span>
        {row.remarks.length > 0 ? (
          <span className="block max-wide:col-span-full max-wide:row-start-4">
            {row.remarks.map((remark) => (
              <span key={remark} className="block text-sm wrap-anywhere text-muted-foreground">
                {remark}
              </span>
            ))}
          </span>
        ) : null}
      </TableCell>
      <TableCell className={cn(CARD_CELL, END, 'max-wide:row-start-3')}>
        <RequestBadge status={row.status} />
      </TableCell>
      <TableCell
        end
        className={cn(
          CARD_CELL,
          END,
          'whitespace-nowrap text-muted-foreground lining-nums tabular-nums max-wide:row-start-2 max-wide:text-sm',
        )}
      >
        <Taka row={row} />
      </TableCell>
      <TableCell end className={cn(CARD_CELL, END, CASH, 'max-wide:row-start-1')}>
        <Sum row={row} />
      </TableCell>
    </TableRow>
  );
}

/** A table on a wide screen, cards on a phone. `reference` is the heading of ids or numbers. */
function HistoryList({ rows, reference }: { rows: readonly HistoryRow[]; reference: string }) {
  const t = useTexts(wallet);
  const tMoney = useTexts(money);
  return (
    <Table className="max-wide:block">
      <TableHeader className="max-wide:hidden">
        <TableRow>
          <TableHead scope="col" className="w-40">
            {t('when')}
          </TableHead>
          <TableHead scope="col" className="w-29">
            {t('method')}
          </TableHead>
          <TableHead scope="col">{reference}</TableHead>
          <TableHead scope="col" className="w-38">
            {t('status')}
          </TableHead>
          <TableHead scope="col" end className="w-31">
            {tMoney('bdt')}
          </TableHead>
          <TableHead scope="col" end className="w-31">
            {tMoney('usd')}
          </TableHead>
        </TableRow>
      </TableHeader>
      <TableBody className="max-wide:block">
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </TableBody>
    </Table>
  );
}

export function HistorySkeleton({ rows = 4 }: { rows?: number }) {
  const t = useTexts(common);
  return (
    <SkeletonPage part label={t('loading')}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex justify-between border-b py-5">
          <Skeleton className="h-4 w-[38%]" />
          <Skeleton className="h-4 w-[18%]" />
        </div>
      ))}
    </SkeletonPage>
  );
}

export type HistoryKind = 'deposits' | 'withdrawals';
type Loaded = { rows: HistoryRow[]; pages: number; total: number };

/** A page of one of the histories; the other one is not loaded. */
export function useHistory(kind: HistoryKind, page: number) {
  const t = useTexts(wallet);
  const incoming = kind === 'deposits';
  const deposits = useQuery({ ...depositsQuery(page), enabled: incoming });
  const withdrawals = useQuery({ ...withdrawalsQuery(page), enabled: !incoming });
  const query = incoming ? deposits : withdrawals;
  useLoadFailure(query, t('historyFailed'));
  const data = query.data;
  const rows = incoming
    ? deposits.data?.deposits.map((deposit) => depositRow(t, deposit))
    : withdrawals.data?.withdrawals.map((withdrawal) => withdrawalRow(t, withdrawal));
  const loaded: Loaded | null = data && rows ? { rows, pages: data.pages, total: data.total } : null;
  return { loaded, failed: query.isLoadingError ? query.error : null, retry: () => void query.refetch() };
}

type HistoryViewProps = {
  kind: HistoryKind;
  history: ReturnType<typeof useHistory>;
  limit?: number;
  first?: ReactNode;
};

export function HistoryView({ kind, history, limit, first }: HistoryViewProps) {
  const t = useTexts(wallet);
  if (history.failed !== null) {
    return <LoadFailed error={history.failed} fallback={t('historyFailed')} said onRetry={history.retry} />;
  }
  if (!history.loaded) return <HistorySkeleton />;
  const rows = limit === undefined ? history.loaded.rows : history.loaded.rows.slice(0, limit);
  if (rows.length === 0) {
    return (
      <EmptyState title={t(`none.${kind}`)} text={t(`none.${kind}Text`)}>
        {first}
      </EmptyState>
    );
  }
  return <HistoryList rows={rows} reference={t(kind === 'deposits' ? 'transactionId' : 'number')} />;
}
