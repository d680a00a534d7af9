import type { Period } from './period-search';
import { serverNow } from './server-clock';
import { addDays, dhakaDay } from './time';

/** First and last day in Dhaka, YYYY-MM-DD, both included; one that is not given is open. */
export type DayRange = Pick<Period, 'from' | 'to'>;

/** Today in Dhaka, by the server's clock. */
export const today = (): string => dhakaDay(serverNow());

/** The days of a period. The last days end today. */
export function daysOf({ days, from, to }: Period): DayRange {
  if (days !== undefined) return { from: addDays(today(), 1 - days) };
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
}
