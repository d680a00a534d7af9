import { RequestBadge } from '@/components/khata/status-badge';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { amount, bdt } from '@/lib/money';
import { formatTime } from '@/lib/time';
import type { HistoryRow } from './history-rows';

function Sum({ row }: { row: HistoryRow }) {
  const text = `${row.incoming ? '+' : '−'} ${amount(row.cents)}`;
  return row.failed ? <s className="mm">{text}</s> : text;
}

function Taka({ row }: { row: HistoryRow }) {
  const text = bdt(row.poisha);
  return row.failed ? <s>{text}</s> : text;
}

function Remarks({ row }: { row: HistoryRow }) {
  return row.remarks.map((remark) => (
    <span key={remark} className="hist__remark">
      {remark}
    </span>
  ));
}

function WideHistory({ rows, reference }: { rows: readonly HistoryRow[]; reference: string }) {
  const t = useTexts(wallet);
  const k = useTexts(khata);
  const c = useTexts(common);
  return (
    <table className="datatable wide-only htable">
      <thead>
        <tr>
          <th scope="col">{t('when')}</th>
          <th scope="col">{t('method')}</th>
          <th scope="col">{reference}</th>
          <th scope="col">{t('status')}</th>
          <th scope="col" className="end">
            {c('bdt')}
          </th>
          <th scope="col" className="end">
            {c('usd')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td className="num m nowrap">
              <time dateTime={row.at}>{formatTime(row.at, 'moment')}</time>
            </td>
            <td>{k(`method.${row.method}`)}</td>
            <td>
              <span className="mono">{row.reference}</span>
              <Remarks row={row} />
            </td>
            <td>
              <RequestBadge status={row.status} />
            </td>
            <td className="end num m nowrap">
              <Taka row={row} />
            </td>
            <td className="end cash">
              <Sum row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NarrowHistory({ rows }: { rows: readonly HistoryRow[] }) {
  const k = useTexts(khata);
  return (
    <ul className="narrow-only hist">
      {rows.map((row) => (
        <li key={row.id}>
          <b className="b">{k(`method.${row.method}`)}</b>
          <span className="cash">
            <Sum row={row} />
          </span>
          <time className="m t14" dateTime={row.at}>
            {formatTime(row.at, 'moment')}
          </time>
          <span className="bdt">
            <Taka row={row} />
          </span>
          <span className="mono m t14">{row.reference}</span>
          <RequestBadge status={row.status} />
          {row.remarks.length > 0 ? (
            <p>
              <Remarks row={row} />
            </p>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** Deposits or withdrawals: a table on a wide screen, lines on a phone. `reference` heads the column of ids or numbers. */
export function HistoryList({ rows, reference }: { rows: readonly HistoryRow[]; reference: string }) {
  return (
    <>
      <WideHistory rows={rows} reference={reference} />
      <NarrowHistory rows={rows} />
    </>
  );
}

export function HistorySkeleton({ rows = 4 }: { rows?: number }) {
  const c = useTexts(common);
  return (
    <SkeletonPage part label={c('loading')}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="hist__sk">
          <Skeleton width="38%" height={16} />
          <Skeleton width="18%" height={16} />
        </div>
      ))}
    </SkeletonPage>
  );
}
