import { addDays, dhakaDay, serverNow } from '@/lib/time';

/** SPEC §2: lifetime, the last 7, 15 or 30 days, or a range of one's own, as the address says it. Neither: lifetime. */
export const SPANS = [7, 15, 30] as const;
export type Period = { days?: (typeof SPANS)[number]; from?: string; to?: string };
/** First and last day, YYYY-MM-DD in Dhaka, both included; as GET /dashboard takes them. */
export type Range = { from?: string; to?: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function isDay(value: unknown): value is string {
  return typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value));
}

/** What the address of /dashboard may say; the rest is as if it were not there. */
export function periodOf(search: Record<string, unknown>): Period {
  const days = SPANS.find((span) => span === Number(search.days));
  if (days !== undefined) return { days };
  const { from, to } = search;
  if (isDay(from) && isDay(to) && to < from) return {};
  return { ...(isDay(from) ? { from } : {}), ...(isDay(to) ? { to } : {}) };
}

/** The last days end today, by the server's clock. */
export function rangeOf({ days, from, to }: Period, now = serverNow()): Range {
  if (days !== undefined) return { from: addDays(dhakaDay(now), 1 - days) };
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
}
