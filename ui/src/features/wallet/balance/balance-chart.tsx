import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WalletHistory, WalletMovement } from '@/api/contract';
import { QueryPart } from '@/components/query-part';
import { SkeletonPage } from '@/components/skeleton-page';
import { NativeSelect } from '@/components/ui/native-select';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { type Cents, centsFromWire, usd, usdWhole } from '@/lib/money';
import { roundAbove } from '@/lib/round';
import { formatTime } from '@/lib/time';
import { CHART_PERIODS, type ChartPeriod, walletHistoryQuery } from '../queries';

/** A chart in percent of its box: x from the left, y from the top. */
type Chart = {
  line: string;
  ground: string;
  end: { x: number; y: number };
  rules: { y: number; cents: Cents }[];
  times: [number, number, number];
};

const EMPTY = 100_00;

/** The round sum at or above the highest balance, at least a dollar. */
export const ruleAbove = (cents: Cents): Cents => (cents <= 0 ? EMPTY : roundAbove(Math.max(cents, 100)));

const percent = (value: number): number => Math.round(value * 100) / 100;

/** The balance as steps at each movement. */
export function chartOf({ from, to, opening, movements, complete }: WalletHistory): Chart {
  const until = Date.parse(to);
  // If the oldest movements are omitted, the time before them is unknown.
  const since = Date.parse(complete ? from : (movements[0]?.at ?? from));
  const span = Math.max(1, until - since);
  const top = ruleAbove(Math.max(centsFromWire(opening), ...movements.map(({ balanceAfter }) => centsFromWire(balanceAfter))));
  const x = (moment: string) => percent(Math.min(100, Math.max(0, ((Date.parse(moment) - since) / span) * 100)));
  const y = (cents: Cents) => percent(100 - (cents / top) * 100);
  const start = y(centsFromWire(opening));
  const steps = movements.map(({ at, balanceAfter }) => `H${x(at)}V${y(centsFromWire(balanceAfter))}`);
  const line = `M0 ${start}${steps.join('')}H100`;
  const last = movements.at(-1);
  return {
    line,
    ground: `${line}V100H0Z`,
    end: { x: 100, y: last ? y(centsFromWire(last.balanceAfter)) : start },
    rules: [top, top / 2, 0].map((cents) => ({ y: y(cents), cents })),
    times: [since, since + span / 2, until],
  };
}

type Summary = { last: Cents; incoming: Cents; outgoing: Cents; highest: Cents; lowest: Cents };

export function summaryOf({ opening, movements }: WalletHistory): Summary {
  const first = centsFromWire(opening);
  const balances = [first, ...movements.map(({ balanceAfter }) => centsFromWire(balanceAfter))];
  const sum = (list: readonly WalletMovement[]) => list.reduce((total, { amount }) => total + Math.abs(centsFromWire(amount)), 0);
  return {
    last: balances.at(-1) ?? first,
    incoming: sum(movements.filter(({ amount }) => amount > 0)),
    outgoing: sum(movements.filter(({ amount }) => amount < 0)),
    highest: Math.max(...balances),
    lowest: Math.min(...balances),
  };
}

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
  const { last, incoming, outgoing, highest, lowest } = summaryOf(history);
  const words =
    history.movements.length === 0
      ? t('chart.same', { last: usd(last) })
      : t('chart.moved', {
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
  const query = useQuery({ ...walletHistoryQuery(days), refetchInterval: live });
  return (
    <QueryPart
      query={query}
      failure={t('chart.failed')}
      skeleton={
        <SkeletonPage part>
          <Skeleton className="h-71.5 md:h-76" />
        </SkeletonPage>
      }
    >
      {(data) => (
        <figure>
          <Plot history={data} />
          <Caption history={data} />
        </figure>
      )}
    </QueryPart>
  );
}

/** The balance as steps. `live` is the polling interval. */
export default function BalanceChart({ live }: { live: (() => number) | false }) {
  const t = useTexts(wallet);
  const [days, setDays] = useState<ChartPeriod>(30);
  return (
    <>
      <NativeSelect
        aria-label={t('chart.period')}
        className="mb-3 ml-auto min-h-11 w-auto py-1 text-sm"
        value={days}
        onChange={({ target }) => setDays(CHART_PERIODS.find((period) => String(period) === target.value) ?? 30)}
      >
        {CHART_PERIODS.map((period) => (
          <option key={period} value={period}>
            {period === 365 ? t('chart.year') : t('chart.days', { days: period })}
          </option>
        ))}
      </NativeSelect>
      <Body days={days} live={live} />
    </>
  );
}
