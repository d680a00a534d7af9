import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WalletHistory } from '@/api/contract';
import { LoadFailed } from '@/components/load-failed';
import { Section } from '@/components/section';
import { SkeletonPage } from '@/components/skeleton-page';
import { NativeSelect } from '@/components/ui/native-select';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { type Cents, usd, usdWhole } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { CHART_PERIODS, type ChartPeriod, walletHistoryQuery } from '../queries';
import { chartOf, summaryOf } from './chart';
import { Movements } from './movements';

const ruleText = (cents: Cents): string => (cents % 100 === 0 ? usdWhole(cents) : usd(cents));

function Plot({ history }: { history: WalletHistory }) {
  const t = useTexts(wallet);
  const { line, ground, end, rules, times } = chartOf(history);
  const [first, middle] = times;
  return (
    <div
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2 pt-2.5 text-caption text-muted-foreground tabular-nums"
      aria-hidden="true"
    >
      <div className="my-[-0.75em] flex h-[calc(168px+1.5em)] flex-col items-end justify-between leading-[1.5] md:h-[calc(208px+1.5em)]">
        {rules.map(({ cents }) => (
          <span key={cents}>{ruleText(cents)}</span>
        ))}
      </div>
      <div className="relative h-42 md:h-52">
        {rules.map(({ cents, y }) => (
          <i key={cents} className="absolute inset-x-0 h-px bg-border" style={{ top: `${y}%` }} />
        ))}
        <svg className="absolute inset-0 size-full overflow-visible" viewBox="0 0 100 100" preserveAspectRatio="none">
          <path className="fill-secondary opacity-70" d={ground} />
          <path
            className="fill-none stroke-foreground stroke-2"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
            d={line}
          />
        </svg>
        <i
          className="absolute right-0 size-3 translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-background bg-pen"
          style={{ top: `${end.y}%` }}
        />
      </div>
      <div className="col-start-2 flex justify-between">
        <span>{formatTime(first, 'day')}</span>
        <span>{formatTime(middle, 'day')}</span>
        <span>{t('chart.now')}</span>
      </div>
    </div>
  );
}

/** The chart as text, for screen readers and exact figures. */
function Caption({ history }: { history: WalletHistory }) {
  const t = useTexts(wallet);
  const { first, last, incoming, outgoing, highest, lowest } = summaryOf(history);
  const words =
    history.movements.length === 0
      ? t('chart.same', { last: usd(last) })
      : t('chart.moved', {
          first: usd(first),
          last: usd(last),
          incoming: usd(incoming),
          outgoing: usd(outgoing),
          highest: usd(highest),
          lowest: usd(lowest),
        });
  return (
    <figcaption className="mt-4 min-h-[4.5em] max-w-[70ch] text-sm text-muted-foreground md:min-h-[3em]">
      {words}
      {history.complete ? null : ` ${t('chart.cut')}`}
    </figcaption>
  );
}

function Body({ days, live }: { days: ChartPeriod; live: (() => number) | false }) {
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const { data, error, isLoadingError, refetch } = useQuery({ ...walletHistoryQuery(days), refetchInterval: live });
  if (isLoadingError) return <LoadFailed error={error} text={t('chart.failed')} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <SkeletonPage part label={tCommon('loading')}>
        <Skeleton className="h-71.5 md:h-76" />
      </SkeletonPage>
    );
  }
  return (
    <>
      <figure>
        <Plot history={data} />
        <Caption history={data} />
      </figure>
      {data.movements.length > 0 ? <Movements movements={data.movements} /> : null}
    </>
  );
}

/** The balance as steps, with every movement. `live` is the polling interval. */
export function BalanceChart({ live }: { live: (() => number) | false }) {
  const t = useTexts(wallet);
  const [days, setDays] = useState<ChartPeriod>(30);
  return (
    <Section
      title={t('chart.title')}
      className="mt-12"
      aside={
        <NativeSelect
          aria-label={t('chart.period')}
          className="min-h-11 w-auto py-1 text-sm"
          value={days}
          onChange={({ target }) => setDays(CHART_PERIODS.find((period) => String(period) === target.value) ?? 30)}
        >
          {CHART_PERIODS.map((period) => (
            <option key={period} value={period}>
              {period === 365 ? t('chart.year') : t('chart.days', { days: period })}
            </option>
          ))}
        </NativeSelect>
      }
    >
      <Body days={days} live={live} />
    </Section>
  );
}
