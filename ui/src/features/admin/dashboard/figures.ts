import { currentLanguage } from '@/i18n';
import { centsFromWire, count, usd } from '@/lib/money';
import { formatTime, startOfDay } from '@/lib/time';
import type { Bucket, Unit } from './buckets';
import type { Trend } from './queries';

/** A figure of a trend in full: "$480.00", or "12" deals. */
export function figure(trend: Trend, value: number): string {
  return trend === 'deals' ? count(value) : usd(centsFromWire(value));
}

/** A figure for an axis: "$1.2K". */
export function shortFigure(trend: Trend, value: number): string {
  const locale = currentLanguage() === 'bn' ? 'bn-BD' : 'en-US';
  const short = value.toLocaleString(locale, { notation: 'compact', maximumFractionDigits: 1 });
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
