import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Section } from '@/components/khata/section';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { adminDashboard } from '@/i18n/en/admin-dashboard';
import type { DayRange } from '@/lib/period';
import { type Bucket, bucketsOf, drawnRange, sumOf, type Unit } from './buckets';
import { Failed } from './failed';
import { daysText, figure } from './figures';
import { seriesQuery, TRENDS, type Trend } from './queries';

const TrendChart = lazy(() => import('./trend-charts'));

type Props = { unit: Unit; buckets: readonly Bucket[] };

function TrendFigure({ trend, unit, buckets }: Props & { trend: Trend }) {
  const t = useTexts(adminDashboard);
  const sum = sumOf(buckets, trend);
  return (
    <figure className="trend">
      <figcaption className="row between g2">
        <span className="b">{t(`trend.${trend}`)}</span>
        <span className="num m">{figure(trend, sum)}</span>
      </figcaption>
      {sum === 0 ? (
        <p className="trend__none m t14">{t(`none.${trend}`)}</p>
      ) : (
        <div aria-hidden="true">
          <Suspense fallback={<Skeleton className="trend__sk" />}>
            <TrendChart trend={trend} unit={unit} buckets={buckets} />
          </Suspense>
        </div>
      )}
    </figure>
  );
}

/** The same figures in words, for whoever cannot see the charts or wants them exactly. */
function TrendTable({ unit, buckets }: Props) {
  const t = useTexts(adminDashboard);
  return (
    <details className="trendtable">
      <summary>{t('table')}</summary>
      <div className="trendtable__scroll" role="region" aria-label={t('table')} tabIndex={0}>
        <table className="datatable" aria-label={t('trends')}>
          <thead>
            <tr>
              <th scope="col">{t(`unit.${unit}`)}</th>
              {TRENDS.map((trend) => (
                <th key={trend} scope="col" className="end">
                  {t(`trend.${trend}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {buckets.map((bucket) => (
              <tr key={bucket.from}>
                <th scope="row">{daysText(unit, bucket, (from, to) => t('range', { from, to }))}</th>
                {TRENDS.map((trend) => (
                  <td key={trend} className="end num">
                    {figure(trend, bucket[trend])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function TrendsSkeleton() {
  return (
    <div className="trends" aria-hidden="true">
      {TRENDS.map((trend) => (
        <div key={trend} className="trend">
          <Skeleton width="40%" height={20} />
          <Skeleton className="trend__sk" />
        </div>
      ))}
    </div>
  );
}

/** Deposits, withdrawals, earnings and deals over the days of the range. */
export function Trends({ range }: { range: DayRange }) {
  const t = useTexts(adminDashboard);
  const drawn = drawnRange(range);
  const query = useQuery(seriesQuery(drawn.range));
  const body = () => {
    if (query.isLoadingError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
    if (!query.data) return <TrendsSkeleton />;
    const { unit, buckets, whole } = bucketsOf(query.data, drawn.cut);
    return (
      <>
        {whole ? null : <p className="m t14 mb">{t('lastYear')}</p>}
        <div className="trends">
          {TRENDS.map((trend) => (
            <TrendFigure key={trend} trend={trend} unit={unit} buckets={buckets} />
          ))}
        </div>
        <TrendTable unit={unit} buckets={buckets} />
      </>
    );
  };
  return (
    <Section title={t('trends')} className="mt8">
      {body()}
    </Section>
  );
}
