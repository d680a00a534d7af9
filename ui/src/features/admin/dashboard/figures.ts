import { currentLanguage } from '@/i18n';
import { centsFromWire, count, usd } from '@/lib/money';
import { roundAbove } from '@/lib/round';
import { formatTime, startOfDay } from '@/lib/time';
import type { Bucket, Unit } from './buckets';
import type { Trend } from './queries';

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
