import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { TrendingDown, TrendingUp } from 'lucide-react';
import { Suspense, use } from 'react';
import type { RateChange } from '@/api/contract';
import { HANGING, MONEY } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { LoadFailed } from '@/components/load-failed';
import { PeriodFilter } from '@/components/period-filter';
import { QueryPart } from '@/components/query-part';
import { Section } from '@/components/section';
import { SkeletonPage } from '@/components/skeleton-page';
import { Stat } from '@/components/stat';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useTexts } from '@/i18n';
import { admin, adminDashboard, adminRate } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { errorText } from '@/lib/errors';
import { bdt, centsFromWire, count, usd } from '@/lib/money';
import { type DayRange, daysOf } from '@/lib/period';
import type { Period } from '@/lib/period-search';
import { formatTime } from '@/lib/time';
import { AdminMain, OpenRateDialog } from '../frame/admin-frame';
import { type Bucket, bucketsOf, daysText, drawnRange, figure, sumOf, type Unit } from './buckets';
import { OpenWork } from './open-work';
import { ratesQuery, seriesQuery, TRENDS, type Trend, totalsQuery } from './queries';

function SectionFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useTexts(common);
  return <LoadFailed error={error} text={t('error', { message: errorText(error) })} onRetry={onRetry} />;
}

const FIGURES = 5;
const GRID = 'grid grid-cols-[repeat(auto-fit,minmax(min(150px,100%),1fr))] gap-x-5 gap-y-7';

function Totals({ range }: { range: DayRange }) {
  const t = useTexts(adminDashboard);
  const money = (amount: number) => usd(centsFromWire(amount));
  const skeleton = (
    <SkeletonPage part>
      <div className={GRID}>
        {Array.from({ length: FIGURES }, (_, index) => (
          <div key={index} className={HANGING}>
            <Skeleton className="h-5.5 w-3/5" />
            <Skeleton className="mt-4 h-10 w-4/5" />
          </div>
        ))}
      </div>
    </SkeletonPage>
  );
  return (
    <QueryPart query={useQuery(totalsQuery(range))} skeleton={skeleton} failure={(failed) => <SectionFailure {...failed} />}>
      {({ totalUsers, totalDeals, totalDepositAmount, totalWithdrawAmount, totalEarnings }) => (
        <section
          className={cn(GRID, '**:data-[slot=stat-value]:text-[clamp(22px,6vw,28px)] **:data-[slot=stat-value]:wrap-anywhere')}
          aria-label={t('totals')}
        >
          <Stat label={t('total.users')} value={count(totalUsers)}>
            {t('means.users')}
          </Stat>
          <Stat label={t('total.deals')} value={count(totalDeals)}>
            {t('means.deals')}
          </Stat>
          <Stat label={t('total.deposits')} value={money(totalDepositAmount)}>
            {t('means.deposits')}
          </Stat>
          <Stat label={t('total.withdrawals')} value={money(totalWithdrawAmount)}>
            {t('means.withdrawals')}
          </Stat>
          <Stat label={t('total.earnings')} value={money(totalEarnings)}>
            {t('means.earnings')}
          </Stat>
        </section>
      )}
    </QueryPart>
  );
}

const TrendChart = lazyPart(() => import('./trend-charts'));

const TREND = 'grid min-w-0 content-start gap-2';
const TRENDS_GRID = 'grid gap-8 wide:grid-cols-2';

type Props = { unit: Unit; buckets: readonly Bucket[] };

function TrendFigure({ trend, unit, buckets }: Props & { trend: Trend }) {
  const t = useTexts(adminDashboard);
  const sum = sumOf(buckets, trend);
  return (
    <figure className={TREND}>
      <figcaption className="flex min-w-0 items-center justify-between gap-3">
        <span className="font-semibold">{t(`trend.${trend}`)}</span>
        <span className="text-muted-foreground lining-nums tabular-nums">{figure(trend, sum)}</span>
      </figcaption>
      {sum === 0 ? (
        <p className="grid h-44 place-items-center border-b border-border-strong text-sm text-muted-foreground">
          {t(`none.${trend}`)}
        </p>
      ) : (
        <div aria-hidden="true">
          <Suspense fallback={<Skeleton className="h-44" />}>
            <TrendChart trend={trend} unit={unit} buckets={buckets} />
          </Suspense>
        </div>
      )}
    </figure>
  );
}

function TrendTable({ unit, buckets }: Props) {
  const t = useTexts(adminDashboard);
  return (
    <details className="mt-5">
      <summary className="min-h-11 w-max cursor-pointer py-2.5 text-sm font-semibold">{t('table')}</summary>
      <div className="overflow-x-auto" role="region" aria-label={t('table')} tabIndex={0}>
        <Table aria-label={t('trends')}>
          <TableHeader>
            <TableRow>
              <TableHead scope="col">{t(`unit.${unit}`)}</TableHead>
              {TRENDS.map((trend) => (
                <TableHead key={trend} scope="col" end>
                  {t(`trend.${trend}`)}
                </TableHead>
              ))}
            </TableRow>
          </TableHeader>
          <TableBody>
            {buckets.map((bucket) => (
              <TableRow key={bucket.from}>
                <TableHead scope="row" className="border-border align-middle text-foreground">
                  {daysText(unit, bucket, (from, to) => t('range', { from, to }))}
                </TableHead>
                {TRENDS.map((trend) => (
                  <TableCell key={trend} end className="lining-nums tabular-nums">
                    {figure(trend, bucket[trend])}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
    </details>
  );
}

function TrendsSkeleton() {
  return (
    <div className={TRENDS_GRID} aria-hidden="true">
      {TRENDS.map((trend) => (
        <div key={trend} className={TREND}>
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-44" />
        </div>
      ))}
    </div>
  );
}

function Trends({ range }: { range: DayRange }) {
  const t = useTexts(adminDashboard);
  const drawn = drawnRange(range);
  const query = useQuery(seriesQuery(drawn.range));
  return (
    <Section title={t('trends')} className="mt-12">
      <QueryPart query={query} skeleton={<TrendsSkeleton />} failure={(failed) => <SectionFailure {...failed} />}>
        {(series) => {
          const { unit, buckets, whole } = bucketsOf(series, drawn.cut);
          return (
            <>
              {whole ? null : <p className="mb-2 text-sm text-muted-foreground">{t('lastYear')}</p>}
              <div className={TRENDS_GRID}>
                {TRENDS.map((trend) => (
                  <TrendFigure key={trend} trend={trend} unit={unit} buckets={buckets} />
                ))}
              </div>
              <TrendTable unit={unit} buckets={buckets} />
            </>
          );
        }}
      </QueryPart>
    </Section>
  );
}

/** The change from the previous rate in percent, with one decimal. */
function changeOf(now: RateChange, before: RateChange | undefined): number | null {
  if (!before) return null;
  return Math.round(((now.usdToBdt - before.usdToBdt) / before.usdToBdt) * 1_000) / 10;
}

function Change({ percent }: { percent: number | null }) {
  const t = useTexts(adminDashboard);
  if (percent === null) return <span className="text-muted-foreground">{t('rate.first')}</span>;
  if (percent === 0) return <span className="text-muted-foreground">{t('rate.same')}</span>;
  const Icon = percent > 0 ? TrendingUp : TrendingDown;
  return (
    <span className="inline-flex items-center gap-1 lining-nums tabular-nums">
      <Icon className="size-4" aria-hidden="true" />
      {t(percent > 0 ? 'rate.up' : 'rate.down', { percent: Math.abs(percent) })}
    </span>
  );
}

function History({ rows, total }: { rows: readonly RateChange[]; total: number }) {
  const t = useTexts(adminDashboard);
  const tAdmin = useTexts(admin);
  // The last row is only for comparison.
  const shown = rows.length < total ? rows.slice(0, -1) : rows;
  return (
    <Table className="self-start" aria-label={t('rate.history')}>
      <TableHeader>
        <TableRow>
          <TableHead scope="col">{t('rate.since')}</TableHead>
          <TableHead scope="col" end>
            {tAdmin('rate')}
          </TableHead>
          <TableHead scope="col" end>
            {t('rate.change')}
          </TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {shown.map((rate, index) => (
          <TableRow key={rate.setAt}>
            <TableCell className="lining-nums tabular-nums">
              {formatTime(rate.setAt, 'moment')}
              <span className="block text-sm text-muted-foreground">
                {t('rate.by', { name: rate.setBy?.username ?? t('operator') })}
              </span>
            </TableCell>
            <TableCell end className="font-semibold lining-nums tabular-nums">
              {bdt(centsFromWire(rate.usdToBdt))}
            </TableCell>
            <TableCell end>
              <Change percent={changeOf(rate, rows[index + 1])} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Rates() {
  const t = useTexts(adminDashboard);
  const tAdmin = useTexts(admin);
  const tAdminRate = useTexts(adminRate);
  const openRate = use(OpenRateDialog);
  const query = useQuery(ratesQuery);
  return (
    <Section
      title={tAdmin('rate')}
      className="mt-12"
      aside={
        <Button variant="outline" onClick={openRate}>
          {tAdminRate('setPlain')}
        </Button>
      }
    >
      <QueryPart query={query} skeleton={<Skeleton className="h-40" />} failure={(failed) => <SectionFailure {...failed} />}>
        {({ rows, total }) => {
          const [present, before] = rows;
          if (!present) return <p className="text-muted-foreground">{tAdminRate('none')}</p>;
          return (
            <div className="grid gap-x-10 gap-y-5 wide:grid-cols-[200px_minmax(0,1fr)]">
              <div>
                <p className={`${MONEY} text-[clamp(1.75rem,1.4rem+1.5vw,2.5rem)]`}>{bdt(centsFromWire(present.usdToBdt))}</p>
                <p className="text-sm text-muted-foreground">{t('rate.oneDollar')}</p>
                <p className="mt-4 text-sm">
                  <Change percent={changeOf(present, before)} />
                </p>
              </div>
              <History rows={rows} total={total} />
            </div>
          );
        }}
      </QueryPart>
    </Section>
  );
}

const route = getRouteApi('/_admin/admin/dashboard');

/** /admin/dashboard: open work, the totals of a period, and the exchange rate. */
export function AdminDashboardPage() {
  const t = useTexts(adminDashboard);
  const period = route.useSearch();
  const range = daysOf(period);
  const navigate = route.useNavigate();
  const choose = (chosen: Period) => void navigate({ search: chosen, resetScroll: false });
  return (
    <AdminMain title={t('page')}>
      <h1 className="mb-5 font-display text-display-md">{t('title')}</h1>
      <OpenWork />
      <div className="mt-10 mb-5 flex flex-wrap justify-between gap-x-6 gap-y-3">
        <h2 className="font-display text-display-sm">{t('totals')}</h2>
        <PeriodFilter period={period} onPeriod={choose} />
      </div>
      <Totals range={range} />
      <Trends range={range} />
      <Rates />
    </AdminMain>
  );
}
