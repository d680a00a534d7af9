import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WalletHistory } from '@/api/contract';
import { Section } from '@/components/khata/section';
import { LoadFailed } from '@/components/load-failed';
import { Select } from '@/components/ui/input';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { type Cents, usd, usdWhole } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { chartOf, summaryOf } from './chart';
import { Movements } from './movements';
import { PERIODS, type Period, walletHistoryQuery } from './queries';
import './chart.css';

const ruleText = (cents: Cents): string => (cents % 100 === 0 ? usdWhole(cents) : usd(cents));

function Plot({ history }: { history: WalletHistory }) {
  const t = useTexts(wallet);
  const { line, ground, end, rules, times } = chartOf(history);
  const [first, middle] = times;
  return (
    <div className="bchart" aria-hidden="true">
      <div className="bchart__sums">
        {rules.map(({ cents }) => (
          <span key={cents}>{ruleText(cents)}</span>
        ))}
      </div>
      <div className="bchart__plot">
        {rules.map(({ cents, y }) => (
          <i key={cents} className="bchart__rule" style={{ top: `${y}%` }} />
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          <path className="bchart__ground" d={ground} />
          <path className="bchart__line" d={line} />
        </svg>
        <i className="bchart__end" style={{ top: `${end.y}%` }} />
      </div>
      <div className="bchart__times">
        <span>{formatTime(first, 'day')}</span>
        <span>{formatTime(middle, 'day')}</span>
        <span>{t('chart.now')}</span>
      </div>
    </div>
  );
}

/** The chart in words: what everybody reads who cannot see it, and the exact figures for who can. */
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
    <figcaption className="bchart__words t14 m">
      {words}
      {history.complete ? null : ` ${t('chart.cut')}`}
    </figcaption>
  );
}

function Body({ days, live }: { days: Period; live: (() => number) | false }) {
  const t = useTexts(wallet);
  const c = useTexts(common);
  const { data, error, isLoadingError, refetch } = useQuery({ ...walletHistoryQuery(days), refetchInterval: live });
  if (isLoadingError) return <LoadFailed error={error} text={t('chart.failed')} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <SkeletonPage part label={c('loading')}>
        <Skeleton className="bchart__sk" />
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

/** The balance over the last days as steps, and every movement behind it. `live` is how soon it is asked for again, in milliseconds. */
export function BalanceChart({ live }: { live: (() => number) | false }) {
  const t = useTexts(wallet);
  const [days, setDays] = useState<Period>(30);
  return (
    <Section
      title={t('chart.title')}
      className="mt8"
      aside={
        <Select
          aria-label={t('chart.period')}
          className="bchart__period"
          value={days}
          onChange={({ target }) => setDays(PERIODS.find((period) => String(period) === target.value) ?? 30)}
        >
          {PERIODS.map((period) => (
            <option key={period} value={period}>
              {period === 365 ? t('chart.year') : t('chart.days', { days: period })}
            </option>
          ))}
        </Select>
      }
    >
      <Body days={days} live={live} />
    </Section>
  );
}
