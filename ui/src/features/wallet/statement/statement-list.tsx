import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronDown, Printer, Sheet } from 'lucide-react';
import { useState } from 'react';
import type { StatementLine, WalletStatement } from '@/api/contract';
import { CODE } from '@/components/classes';
import { EmptyState } from '@/components/empty-state';
import { Pager } from '@/components/pager';
import { PendingButton } from '@/components/pending-button';
import { PeriodFilter } from '@/components/period-filter';
import { QueryPart } from '@/components/query-part';
import { Facts, Section } from '@/components/section';
import { SkeletonPage } from '@/components/skeleton-page';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { Toggle } from '@/components/ui/toggle';
import { ToggleGroup } from '@/components/ui/toggle-group';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { depositFollow } from '@/i18n/en/deposit';
import { khata } from '@/i18n/en/khata';
import { statement } from '@/i18n/en/statement';
import { wallet } from '@/i18n/en/wallet';
import { currentLanguage } from '@/i18n/language';
import { cn } from '@/lib/cn';
import { bdt, centsFromWire, localDigits, usd } from '@/lib/money';
import { saveFile } from '@/lib/save-file';
import { formatTime } from '@/lib/time';
import { STATEMENT_KINDS, type StatementSearch, statementSearch } from '../wallet-search';
import { LinesTable } from './lines-table';
import { statementFile, statementQuery } from './statement-query';

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

/** Says what a deposit was credited with instead of what was reported, and why. */
function Instead({ line }: { line: StatementLine }) {
  const t = useTexts(depositFollow);
  const { claimedAmount, amount: credited, reason } = line;
  if (claimedAmount === null) return null;
  return (
    <>
      <span className="block">
        {t('instead', { sum: usd(centsFromWire(credited)), claimed: usd(centsFromWire(claimedAmount)) })}
      </span>
      {reason ? <span className="block">{t('words', { reason })}</span> : null}
    </>
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
    const withdrawn = line.subject.startsWith('withdrawal:');
    const shown = withdrawn ? localDigits(groupedPhone(line.reference ?? '')) : line.reference;
    const reference = <span className={CODE}>{shown}</span>;
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
        {line.convertedAmount === null ? null : ` · ${bdt(centsFromWire(line.convertedAmount))}`}
        {line.payoutId === null ? null : ` · ${t('payoutId', { id: line.payoutId })}`}
        <Instead line={line} />
      </>
    );
  }
  return line.reason;
}

function StatementSkeleton() {
  return (
    <SkeletonPage part>
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="flex justify-between border-b py-5">
          <Skeleton className="h-4 w-[38%]" />
          <Skeleton className="h-4 w-[18%]" />
        </div>
      ))}
    </SkeletonPage>
  );
}

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

/** The period, the kind, what they add up to, and the downloads. */
function Filters({ search, go }: { search: StatementSearch; go: (next: StatementSearch) => void }) {
  const t = useTexts(statement);
  const { kind, days, from, to } = search;
  const period = { ...(days ? { days } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) };
  return (
    <div className="mb-6 grid gap-3">
      <PeriodFilter label={t('period')} period={period} onPeriod={(chosen) => go({ ...chosen, ...(kind ? { kind } : {}) })} />
      <KindFilter kind={kind} onKind={(chosen) => go({ ...period, ...(chosen ? { kind: chosen } : {}) })} />
      <SaveStatement search={search} />
    </div>
  );
}

function Sums({ data, kind }: { data: WalletStatement; kind: StatementSearch['kind'] }) {
  const t = useTexts(statement);
  return (
    <div role="group" aria-label={t('sums')} className="mb-6 max-w-120">
      <Facts
        rows={[
          [t('opening'), usd(centsFromWire(data.opening))],
          [t('in'), usd(centsFromWire(data.in))],
          [t('out'), usd(-centsFromWire(data.out))],
        ]}
        total={[t('closing'), usd(centsFromWire(data.closing))]}
      />
      {kind ? <p className="mt-2 text-sm text-muted-foreground">{t('filtered')}</p> : null}
    </div>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  const t = useTexts(statement);
  const tWallet = useTexts(wallet);
  return (
    <EmptyState title={t('none')} text={t(filtered ? 'noneText' : 'noneEver')}>
      {filtered ? null : (
        <Button variant="outline" asChild>
          <Link to="/deposit">{tWallet('deposit')}</Link>
        </Button>
      )}
    </EmptyState>
  );
}

/** The transactions of /balance; the address has what they are filtered by. */
export function StatementList({ live }: { live: (() => number) | false }) {
  const t = useTexts(statement);
  // /deposit and /withdraw have other parameters.
  const search = statementSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const { kind, days, from, to } = search;
  const filtered = [kind, days, from, to].some((one) => one !== undefined);
  const [open, setOpen] = useState(filtered);
  const query = useQuery({ ...statementQuery(search), refetchInterval: live });
  const go = (next: StatementSearch) => void navigate({ to: '/balance', search: next, resetScroll: false });
  return (
    <Section
      title={t('lines')}
      className="mt-8"
      aside={
        <Button variant="link" className="-my-3" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('open')}
          <ChevronDown className={cn('size-5', open && 'rotate-180')} aria-hidden="true" />
        </Button>
      }
    >
      {open ? <Filters search={search} go={go} /> : null}
      <QueryPart query={query} failure={t('failed')} skeleton={<StatementSkeleton />}>
        {(data) => (
          <>
            {filtered ? <Sums data={data} kind={kind} /> : null}
            {data.lines.length === 0 ? (
              <Nothing filtered={filtered} />
            ) : (
              <LinesTable lines={data.lines}>
                {(line) => (
                  <>
                    <About line={line} />
                    <time className="block" dateTime={line.at}>
                      {formatTime(line.at, 'moment')}
                    </time>
                  </>
                )}
              </LinesTable>
            )}
            {data.pages > 1 ? (
              <div className="mt-4">
                <Pager page={data.page} pages={data.pages} onPage={(page) => go({ ...search, page })} label={t('pages')} />
              </div>
            ) : null}
          </>
        )}
      </QueryPart>
    </Section>
  );
}
