import type { Deal } from '@/api/contract';
import { type Cents, centsFromWire } from '@/lib/money';
import { dhakaDay } from '@/lib/time';

/** `at` is a moment of the month. */
export type Month = { at: number; sum: Cents };

/** What deals were completed for in each of the last months, the oldest first; the last one is the present. */
export function completedByMonth(deals: readonly Deal[], now: number, months = 6): Month[] {
  const [year, month] = dhakaDay(now).split('-').map(Number) as [number, number];
  return Array.from({ length: months }, (_, index) => {
    // The middle of the month is in it in every time zone.
    const at = Date.UTC(year, month - months + index, 15);
    const name = dhakaDay(at).slice(0, 7);
    const sum = deals
      .filter(
        ({ status, closedAt }) => status === 'Completed' && closedAt !== null && dhakaDay(Date.parse(closedAt)).startsWith(name),
      )
      .reduce((total, { price }) => total + centsFromWire(price), 0);
    return { at, sum };
  });
}
