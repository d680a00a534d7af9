import { currentLanguage } from '@/i18n';
import { centsFromWire, count, usd } from '@/lib/money';
import { type DayRange, today } from '@/lib/period';
import { roundAbove } from '@/lib/round';
import { addDays, formatTime, startOfDay } from '@/lib/time';
import { type AllSeries, TRENDS, type Trend } from './queries';

const MAX_DAYS = 366;
const MAX_SINGLE_DAYS = 31;
const MAX_WEEKS = 120;
const LEAST_DAYS = 7;
const WEEK = 7;

export type Unit = 'day' | 'week' | 'month';
/** A range of days with the sum of each trend: amounts in USD, deals as a number. */
export type Bucket = { from: string; to: string } & Record<Trend, number>;

/** The days to draw: the range, or the last year of a longer one, with `cut`. */
export function drawnRange({ from: wanted, to: latest = today() }: DayRange): { range: Required<DayRange>; cut: boolean } {
  // A range in the future has one day.
  const to = wanted !== undefined && wanted > latest ? wanted : latest;
  const cut = wanted === undefined || wanted < addDays(to, 1 - MAX_DAYS);
  // Starts at a whole month.
  const from = cut ? `${addDays(to, 32 - MAX_DAYS).slice(0, 7)}-01` : wanted;
  return { range: { from, to }, cut };
}

type DayFigures = { date: string } & Record<Trend, number>;

function byDay(series: AllSeries): DayFigures[] {
  return series.deposits.days.map(({ date }, index) => ({
    date,
    deposits: series.deposits.days[index]?.amount ?? 0,
    withdrawals: series.withdrawals.days[index]?.amount ?? 0,
    earnings: series.earnings.days[index]?.amount ?? 0,
    deals: series.deals.days[index]?.count ?? 0,
  }));
}

/** Drops empty days at the beginning, for a business younger than the range. */
function sinceFirst(days: DayFigures[]): DayFigures[] {
  const first = days.findIndex((day) => TRENDS.some((trend) => day[trend] !== 0));
  return days.slice(first < 0 ? -LEAST_DAYS : Math.max(0, Math.min(first, days.length - LEAST_DAYS)));
}

function unitOf(days: number): Unit {
  if (days <= MAX_SINGLE_DAYS) return 'day';
  return days <= MAX_WEEKS ? 'week' : 'month';
}

/** Adds in cents, so that the sum of many days is exact. */
const plus = (a: number, b: number): number => (Math.round(a * 100) + Math.round(b * 100)) / 100;

type Drawn = { unit: Unit; buckets: Bucket[] /** Nothing was left out that had happened in these days. */; whole: boolean };

/** By day, week or month, for few enough bars. With `cut`, empty days at the beginning stay. */
export function bucketsOf(series: AllSeries, cut: boolean): Drawn {
  const all = byDay(series);
  const days = cut ? sinceFirst(all) : all;
  const unit = unitOf(days.length);
  const place = (day: DayFigures, index: number): string => {
    if (unit === 'day') return day.date;
    return unit === 'week' ? String(Math.floor(index / WEEK)) : day.date.slice(0, 7);
  };
  const buckets: Bucket[] = [];
  let last: string | null = null;
  for (const [index, { date, ...figures }] of days.entries()) {
    const current = buckets.at(-1);
    const here = place({ date, ...figures }, index);
    if (current && here === last) {
      current.to = date;
      for (const trend of TRENDS) current[trend] = plus(current[trend], figures[trend]);
    } else buckets.push({ from: date, to: date, ...figures });
    last = here;
  }
  return { unit, buckets, whole: !cut || days.length < all.length };
}

export const sumOf = (buckets: readonly Bucket[], trend: Trend): number =>
  buckets.reduce((sum, bucket) => plus(sum, bucket[trend]), 0);

/** In full: "$480.00", or "12" deals. */
export function figure(trend: Trend, value: number): string {
  return trend === 'deals' ? count(value) : usd(centsFromWire(value));
}

/** Two to five round ticks from zero, the last at or above the highest value. Deals are whole. */
export function axisTicks(trend: Trend, highest: number): number[] {
  const part = highest > 0 ? highest / 4 : 1;
  const step = roundAbove(trend === 'deals' ? Math.ceil(part) : part);
  return Array.from({ length: Math.max(1, Math.ceil(highest / step)) + 1 }, (_, index) => index * step);
}

export function shortFigure(trend: Trend, value: number): string {
  const locale = currentLanguage() === 'bn' ? 'bn-BD' : 'en-US';
  const short = value.toLocaleString(locale, { notation: 'compact', maximumFractionDigits: 2 });
  return trend === 'deals' ? short : `$${short}`;
}

/** The days of a bucket: "8 Nov", "2 Nov to 8 Nov" in a table, "Nov". */
export function daysText(
  unit: Unit,
  { from, to }: Pick<Bucket, 'from' | 'to'>,
  range: (from: string, to: string) => string,
): string {
  if (unit === 'month') return formatTime(startOfDay(from), 'monthName');
  const first = formatTime(startOfDay(from), 'day');
  return from === to ? first : range(first, formatTime(startOfDay(to), 'day'));
}
