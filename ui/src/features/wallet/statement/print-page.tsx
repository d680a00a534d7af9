import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Paper, StatementLine, WalletStatement } from '@/api/contract';
import { Note } from '@/components/note';
import { fullMoment, useSpan } from '@/components/paper-times';
import { PaperSkeleton, PrintPage } from '@/components/print-page';
import { QueryPart } from '@/components/query-part';
import { Facts } from '@/components/section';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { print } from '@/i18n/en/print';
import { statement } from '@/i18n/en/statement';
import { aboutBdt, bdt, centsFromWire, floorRate, toPoisha, usd } from '@/lib/money';
import { daysOf } from '@/lib/period';
import { startOfDay } from '@/lib/time';
import type { StatementSearch } from '../wallet-search';
import { LinesTable } from './lines-table';
import { wholeStatementQuery } from './statement-query';

const route = getRouteApi('/_app/balance/statement/print');

function useAbout(): (line: StatementLine) => string | null {
  const t = useTexts(print);
  const tKhata = useTexts(khata);
  return ({ with: name, title, method, reference, reason, convertedAmount }) => {
    if (name !== null) return t('about', { title: title ?? t('deal'), name });
    if (method === 'Bkash' || method === 'Nagad') {
      const taka = convertedAmount === null ? '' : ` · ${bdt(centsFromWire(convertedAmount))}`;
      return `${tKhata(`method.${method}`)} ${reference}${taka}`;
    }
    return reason;
  };
}

function Whole({ data, paper, search }: { data: WalletStatement; paper: Paper; search: StatementSearch }) {
  const t = useTexts(print);
  const tStatement = useTexts(statement);
  const me = useMe();
  const span = useSpan();
  const about = useAbout();
  const { kind } = search;
  const { from, to } = daysOf(search);
  const closing = centsFromWire(data.closing);
  const rate = paper.usdToBdt === null ? null : floorRate(paper.usdToBdt);
  return (
    <>
      <Facts
        rows={[
          [t('user'), me.username],
          [t('period'), span(from ? startOfDay(from) : null, to ? startOfDay(to) : null, paper.madeAt)],
          ...(kind ? [[t('kind'), tStatement(`kind.${kind}`)] as const] : []),
          [tStatement('opening'), usd(centsFromWire(data.opening))],
          [tStatement('in'), usd(centsFromWire(data.in))],
          [tStatement('out'), usd(-centsFromWire(data.out))],
        ]}
        total={[tStatement('closing'), usd(closing)]}
      />
      {rate === null ? null : (
        <p className="text-end text-sm text-muted-foreground">
          {t('atRate', { taka: aboutBdt(toPoisha(closing, rate)), rate: bdt(centsFromWire(rate)) })}
        </p>
      )}
      {kind ? <p className="mt-2 text-sm text-muted-foreground">{tStatement('filtered')}</p> : null}
      {data.lines.length > 0 ? (
        <LinesTable lines={data.lines} className="mt-10">
          {(line) => [fullMoment(line.at), about(line)].filter(Boolean).join(' · ')}
        </LinesTable>
      ) : (
        <p className="mt-10">{tStatement('noneText')}</p>
      )}
    </>
  );
}

/** /balance/statement/print: the whole printable statement, the oldest transaction first. */
export function StatementPrintPage() {
  const t = useTexts(print);
  const tStatement = useTexts(statement);
  const me = useMe();
  const search = route.useSearch();
  const query = useQuery(wholeStatementQuery(search));
  return (
    <PrintPage
      page={t('statementOf', { name: me.username })}
      title={tStatement('title')}
      back={
        <Link to="/balance" search={search}>
          {t('toStatement')}
        </Link>
      }
      paper={query.data?.paper}
    >
      <QueryPart query={query} failure={tStatement('failed')} skeleton={<PaperSkeleton />}>
        {(data) => (data.paper ? <Whole data={data} paper={data.paper} search={search} /> : <Note alert>{t('tooMany')}</Note>)}
      </QueryPart>
    </PrintPage>
  );
}
