import type { Period } from './period-search';
import { serverNow } from './server-clock';
import { addDays, dhakaDay } from './time';

/** First and last day in Dhaka, YYYY-MM-DD, both included and each optional. */
export type DayRange = Pick<Period, 'from' | 'to'>;

export const today = (): string => dhakaDay(serverNow());

export function daysOf({ days, from, to }: Period): DayRange {
  if (days !== undefined) return { from: addDays(today(), 1 - days) };
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
}
