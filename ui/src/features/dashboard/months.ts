import type { DealTotals } from '@/api/contract';
import { type Cents, centsFromWire } from '@/lib/money';

export type Month = { at: number; sum: Cents };

/** The sum of each of the last months, the oldest first. */
export function monthsOf(totals: DealTotals['completed']): Month[] {
  return totals.map(({ month, price }) => {
    const [year, number] = month.split('-').map(Number) as [number, number];
    // The middle of the month is in that month in every time zone.
    return { at: Date.UTC(year, number - 1, 15), sum: centsFromWire(price) };
  });
}
