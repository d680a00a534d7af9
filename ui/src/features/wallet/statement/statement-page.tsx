import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { LoadFailed } from '@/components/load-failed';
import { Page } from '@/components/page';
import { Pager } from '@/components/pager';
import { PeriodFilter } from '@/components/period-filter';
import { Facts, Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Toggle } from '@/components/ui/toggle';
import { ToggleGroup } from '@/components/ui/toggle-group';
import { useTexts } from '@/i18n';
import { statement } from '@/i18n/en/statement';
import { wallet } from '@/i18n/en/wallet';
import { centsFromWire, usd } from '@/lib/money';
import { HistorySkeleton } from '../history/history-list';
import { SaveStatement } from './save-statement';
import { StatementLines } from './statement-lines';
import { statementQuery } from './statement-query';
import { STATEMENT_KINDS, type StatementSearch } from './statement-search';

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
  const data = query.data;
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
      {query.isLoadingError ? (
        <LoadFailed error={query.error} fallback={t('failed')} onRetry={() => void query.refetch()} />
      ) : null}
      {query.isPending ? <HistorySkeleton rows={8} /> : null}
      {data ? (
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
      ) : null}
    </Page>
  );
}
