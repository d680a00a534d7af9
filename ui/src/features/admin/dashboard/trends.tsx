import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { Section } from '@/components/section';
import { Skeleton } from '@/components/ui/skeleton';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useTexts } from '@/i18n';
import { adminDashboard } from '@/i18n/en/admin-dashboard';
import type { DayRange } from '@/lib/period';
import { type Bucket, bucketsOf, drawnRange, sumOf, type Unit } from './buckets';
import { daysText, figure } from './figures';
import { seriesQuery, TRENDS, type Trend } from './queries';
import { SectionFailure } from './section-failure';

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

export function Trends({ range }: { range: DayRange }) {
  const t = useTexts(adminDashboard);
  const drawn = drawnRange(range);
  const query = useQuery(seriesQuery(drawn.range));
  const body = () => {
    if (query.isLoadingError) return <SectionFailure error={query.error} onRetry={() => void query.refetch()} />;
    if (!query.data) return <TrendsSkeleton />;
    const { unit, buckets, whole } = bucketsOf(query.data, drawn.cut);
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
  };
  return (
    <Section title={t('trends')} className="mt-12">
      {body()}
    </Section>
  );
}
