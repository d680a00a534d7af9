import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { StatementLine } from '@/api/contract';
import { CASH } from '@/components/classes';
import { LoadFailed } from '@/components/load-failed';
import { Note } from '@/components/note';
import { fullMoment, PrintPage } from '@/components/print-page';
import { Facts } from '@/components/section';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { print } from '@/i18n/en/print';
import { statement, wallet } from '@/i18n/en/wallet';
import { amount, centsFromWire, usd } from '@/lib/money';
import { daysOf } from '@/lib/period';
import { formatTime, startOfDay } from '@/lib/time';
import type { StatementSearch } from '../wallet-search';
import { MAX_LINES, signed, wholeStatementQuery } from './statement-query';

const route = getRouteApi('/_app/balance/statement/print');

/** The days of the statement; an open end is the time of loading. */
function useSpan(): (search: StatementSearch, madeAt: number) => string {
  const t = useTexts(print);
  const date = (day: string) => formatTime(startOfDay(day), 'date');
  return (search, madeAt) => {
    const { from, to } = daysOf(search);
    const end = to ? date(to) : fullMoment(madeAt);
    return from ? t('span', { from: date(from), to: end }) : t('until', { to: end });
  };
}

function useAbout(): (line: StatementLine) => string | null {
  const t = useTexts(print);
  const tKhata = useTexts(khata);
  return ({ with: name, title, method, reference, reason }) => {
    if (name !== null) return t('about', { title: title ?? t('deal'), name });
    if (method === 'Bkash' || method === 'Nagad') return `${tKhata(`method.${method}`)} ${reference}`;
    return reason;
  };
}

function Lines({ lines }: { lines: readonly StatementLine[] }) {
  const t = useTexts(wallet);
  const about = useAbout();
  return (
    <Table className="mt-10">
      <TableHeader>
        <TableRow>
          <TableHead scope="col">{t('move.what')}</TableHead>
          <TableHead scope="col" end>
            {t('move.amount')}
          </TableHead>
          <TableHead scope="col" end>
            {t('move.balance')}
          </TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {lines.map((line) => (
          <tr key={`${line.subject} ${line.kind}`} className="print:break-inside-avoid">
            <TableCell className="min-w-0 py-2">
              <b className="font-semibold">{t(`move.${line.kind}`)}</b>
              <span className="block text-sm text-muted-foreground">
                {[fullMoment(line.at), about(line)].filter(Boolean).join(' · ')}
              </span>
            </TableCell>
            <TableCell end className={`${CASH} py-2`}>
              {signed(centsFromWire(line.amount))}
            </TableCell>
            <TableCell end className="py-2 whitespace-nowrap lining-nums tabular-nums">
              {amount(centsFromWire(line.balanceAfter))}
            </TableCell>
          </tr>
        ))}
      </TableBody>
    </Table>
  );
}

/** /balance/statement/print: the whole printable statement, the oldest transaction first. */
export function StatementPrintPage() {
  const t = useTexts(print);
  const tStatement = useTexts(statement);
  const me = useMe();
  const search = route.useSearch();
  const span = useSpan();
  const { data, error, isLoadingError, isFetching, refetch } = useQuery(wholeStatementQuery(search));
  const tooLong = data !== undefined && data.total > MAX_LINES;
  const whole = tooLong ? undefined : data;
  const { kind } = search;
  return (
    <PrintPage
      page={t('statementOf', { name: me.username })}
      title={tStatement('title')}
      back={
        <Link to="/balance" search={search}>
          {t('toStatement')}
        </Link>
      }
      check={whole ? { text: t('check.owner', { name: me.username }), path: '/balance' } : undefined}
      madeAt={whole?.madeAt}
      pending={!data && !isLoadingError}
    >
      {isLoadingError ? (
        <LoadFailed error={error} fallback={tStatement('failed')} busy={isFetching} onRetry={() => void refetch()} />
      ) : null}
      {tooLong ? <Note alert>{t('tooMany')}</Note> : null}
      {whole ? (
        <>
          <Facts
            rows={[
              [t('user'), me.username],
              [t('period'), span(search, whole.madeAt)],
              ...(kind ? [[t('kind'), tStatement(`kind.${kind}`)] as const] : []),
              [tStatement('opening'), usd(centsFromWire(whole.opening))],
              [tStatement('in'), usd(centsFromWire(whole.in))],
              [tStatement('out'), usd(-centsFromWire(whole.out))],
            ]}
            total={[tStatement('closing'), usd(centsFromWire(whole.closing))]}
          />
          {kind ? <p className="mt-2 text-sm text-muted-foreground">{tStatement('filtered')}</p> : null}
          {whole.lines.length > 0 ? <Lines lines={whole.lines} /> : <p className="mt-10">{tStatement('noneText')}</p>}
        </>
      ) : null}
    </PrintPage>
  );
}
