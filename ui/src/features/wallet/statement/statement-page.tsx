import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Printer, Sheet } from 'lucide-react';
import type { StatementLine } from '@/api/contract';
import { CASH, CODE } from '@/components/classes';
import { EmptyState } from '@/components/empty-state';
import { Page } from '@/components/page';
import { Pager } from '@/components/pager';
import { PendingButton } from '@/components/pending-button';
import { PeriodFilter } from '@/components/period-filter';
import { QueryPart } from '@/components/query-part';
import { Facts, Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { Toggle } from '@/components/ui/toggle';
import { ToggleGroup } from '@/components/ui/toggle-group';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { statement, wallet } from '@/i18n/en/wallet';
import { currentLanguage } from '@/i18n/language';
import { amount, centsFromWire, usd } from '@/lib/money';
import { saveFile } from '@/lib/save-file';
import { formatTime } from '@/lib/time';
import { HistorySkeleton } from '../history/history';
import { STATEMENT_KINDS, type StatementSearch } from '../wallet-search';
import { signed, statementFile, statementQuery } from './statement-query';

function SaveStatement({ search }: { search: StatementSearch }) {
  const t = useTexts(statement);
  const tCommon = useTexts(common);
  const { mutate, isPending } = useMutation({
    mutationFn: () => saveFile(statementFile(search, currentLanguage())),
    meta: { fallback: () => t('saveFailed') },
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="outline" asChild>
        <Link to="/balance/statement/print" search={{ ...search, page: undefined }}>
          <Printer aria-hidden="true" />
          {t('print')}
        </Link>
      </Button>
      <PendingButton variant="outline" pending={isPending} pendingText={tCommon('loading')} onClick={() => mutate()}>
        <Sheet aria-hidden="true" />
        {t('csv')}
      </PendingButton>
    </div>
  );
}

function About({ line }: { line: StatementLine }) {
  const t = useTexts(statement);
  const tKhata = useTexts(khata);
  const id = line.subject.slice(line.subject.indexOf(':') + 1);
  if (line.with !== null) {
    return (
      <>
        <Link to="/deal/$dealId" params={{ dealId: id }} className="underline decoration-input underline-offset-4">
          {line.title ?? t('deal')}
        </Link>
        {' · '}
        <Link to="/profile/$username" params={{ username: line.with }} className="underline decoration-input underline-offset-4">
          {line.with}
        </Link>
      </>
    );
  }
  if (line.method === 'Bkash' || line.method === 'Nagad') {
    const reference = <span className={CODE}>{line.reference}</span>;
    return (
      <>
        {tKhata(`method.${line.method}`)}
        {' · '}
        {line.subject.startsWith('deposit:') ? (
          <Link
            to="/balance/deposits/$depositId"
            params={{ depositId: id }}
            className="underline decoration-input underline-offset-4"
          >
            {reference}
          </Link>
        ) : (
          reference
        )}
      </>
    );
  }
  return line.reason;
}

/** Transactions with the balance after each, the latest first. */
function StatementLines({ lines }: { lines: readonly StatementLine[] }) {
  const t = useTexts(wallet);
  return (
    <Table>
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
          <TableRow key={`${line.subject} ${line.kind}`}>
            <TableCell className="min-w-0">
              <b className="font-semibold">{t(`move.${line.kind}`)}</b>
              <span className="block text-sm wrap-anywhere text-muted-foreground">
                <About line={line} />
              </span>
              <time className="block text-sm text-muted-foreground" dateTime={line.at}>
                {formatTime(line.at, 'moment')}
              </time>
            </TableCell>
            <TableCell end className={CASH}>
              {signed(centsFromWire(line.amount))}
            </TableCell>
            <TableCell end className="whitespace-nowrap text-muted-foreground lining-nums tabular-nums">
              {amount(centsFromWire(line.balanceAfter))}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

const route = getRouteApi('/_app/balance/statement/');

function KindFilter({ kind, onKind }: { kind: StatementSearch['kind']; onKind: (kind: StatementSearch['kind']) => void }) {
  const t = useTexts(statement);
  return (
    <ToggleGroup aria-label={t('kind')}>
      <Toggle pressed={kind === undefined} onClick={() => onKind(undefined)}>
        {t('kind.all')}
      </Toggle>
      {STATEMENT_KINDS.map((one) => (
        <Toggle key={one} pressed={one === kind} onClick={() => onKind(one)}>
          {t(`kind.${one}`)}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}

export function StatementPage() {
  const t = useTexts(statement);
  const tWallet = useTexts(wallet);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { kind, days, from, to } = search;
  const period = { ...(days ? { days } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) };
  const query = useQuery(statementQuery(search));
  const go = (next: StatementSearch) => void navigate({ search: next, resetScroll: false });
  return (
    <Page title={t('title')}>
      <p className="text-sm">
        <Link to="/balance" className="underline decoration-input underline-offset-4 hover:decoration-current">
          {tWallet('balance')}
        </Link>
      </p>
      <div className="mt-2 mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="font-display text-display-md">{t('title')}</h1>
        <SaveStatement search={search} />
      </div>
      <div className="grid gap-3">
        <PeriodFilter label={t('period')} period={period} onPeriod={(chosen) => go({ ...chosen, ...(kind ? { kind } : {}) })} />
        <KindFilter kind={kind} onKind={(chosen) => go({ ...period, ...(chosen ? { kind: chosen } : {}) })} />
      </div>
      <QueryPart query={query} failure={t('failed')} skeleton={<HistorySkeleton rows={8} />}>
        {(data) => (
          <div className="mt-8 grid gap-10 wide:grid-cols-[minmax(0,1fr)_280px] wide:gap-12">
            <Section
              title={t('lines')}
              aside={<span className="text-sm text-muted-foreground">{tWallet('entries', { count: data.total })}</span>}
            >
              {data.lines.length === 0 ? (
                <EmptyState title={t('none')} text={t('noneText')}>
                  <Button variant="outline" asChild>
                    <Link to="/deposit">{tWallet('deposit')}</Link>
                  </Button>
                </EmptyState>
              ) : (
                <StatementLines lines={data.lines} />
              )}
              <div className="mt-4">
                <Pager page={data.page} pages={data.pages} onPage={(page) => go({ ...search, page })} label={t('pages')} />
              </div>
            </Section>
            <Section title={t('sums')} size="small" className="max-wide:order-first">
              <Facts
                rows={[
                  [t('opening'), usd(centsFromWire(data.opening))],
                  [t('in'), usd(centsFromWire(data.in))],
                  [t('out'), usd(-centsFromWire(data.out))],
                ]}
                total={[t('closing'), usd(centsFromWire(data.closing))]}
              />
              {kind ? <p className="mt-2 text-sm text-muted-foreground">{t('filtered')}</p> : null}
            </Section>
          </div>
        )}
      </QueryPart>
    </Page>
  );
}
