import { Link } from '@tanstack/react-router';
import { CASH, CODE, TAKA } from '@/components/classes';
import { SkeletonPage } from '@/components/skeleton-page';
import { Skeleton } from '@/components/ui/skeleton';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { money } from '@/i18n/en/components';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { amount, bdt } from '@/lib/money';
import { formatTime } from '@/lib/time';
import type { HistoryRow } from './history-rows';

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

function Remarks({ row }: { row: HistoryRow }) {
  return row.remarks.map((remark) => (
    <span key={remark} className="block text-sm wrap-anywhere text-muted-foreground">
      {remark}
    </span>
  ));
}

function WideHistory({ rows, reference }: { rows: readonly HistoryRow[]; reference: string }) {
  const t = useTexts(wallet);
  const tKhata = useTexts(khata);
  const tMoney = useTexts(money);
  return (
    <Table className="hidden wide:table">
      <TableHeader>
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
      <TableBody>
        {rows.map((row) => (
          <TableRow key={row.id} className={row.page ? 'relative' : undefined}>
            <TableCell className="whitespace-nowrap text-muted-foreground lining-nums tabular-nums">
              <time dateTime={row.at}>{formatTime(row.at, 'moment')}</time>
            </TableCell>
            <TableCell>{tKhata(`method.${row.method}`)}</TableCell>
            <TableCell>
              <span className={CODE}>
                <Reference row={row} />
              </span>
              <Remarks row={row} />
            </TableCell>
            <TableCell>
              <RequestBadge status={row.status} />
            </TableCell>
            <TableCell end className="whitespace-nowrap text-muted-foreground lining-nums tabular-nums">
              <Taka row={row} />
            </TableCell>
            <TableCell end className={CASH}>
              <Sum row={row} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function NarrowHistory({ rows }: { rows: readonly HistoryRow[] }) {
  const t = useTexts(khata);
  return (
    <ul className="wide:hidden">
      {rows.map((row) => (
        <li
          key={row.id}
          className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 border-b py-3 text-md [&>:nth-child(even)]:justify-self-end"
        >
          <b className="font-semibold">{t(`method.${row.method}`)}</b>
          <span className={CASH}>
            <Sum row={row} />
          </span>
          <time className="text-sm text-muted-foreground" dateTime={row.at}>
            {formatTime(row.at, 'moment')}
          </time>
          <span className={TAKA}>
            <Taka row={row} />
          </span>
          <span className={cn(CODE, 'text-sm text-muted-foreground')}>
            <Reference row={row} />
          </span>
          <RequestBadge status={row.status} />
          {row.remarks.length > 0 ? (
            <p className="col-span-full">
              <Remarks row={row} />
            </p>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** A table on a wide screen, lines on a phone. `reference` is the heading of ids or numbers. */
export function HistoryList({ rows, reference }: { rows: readonly HistoryRow[]; reference: string }) {
  return (
    <>
      <WideHistory rows={rows} reference={reference} />
      <NarrowHistory rows={rows} />
    </>
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
