/** Lifetime, the last 7, 15 or 30 days, or a range of one's own. */
export const SPANS = [7, 15, 30] as const;
/**
 * What is counted, as it stands in an address: the last days, or a first and a last day in Dhaka, both included and either of them open.
 * Nothing: lifetime.
 */
export type Period = { days?: (typeof SPANS)[number]; from?: string; to?: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function day(value: unknown): string | undefined {
  if (typeof value !== 'string' || !DAY.test(value)) return undefined;
  const begins = new Date(value);
  // "2026-02-31" is a date to some engines, but another one.
  return !Number.isNaN(begins.getTime()) && begins.toISOString().startsWith(value) ? value : undefined;
}

/** The period of an address. What is none there is as if it were not there. */
export function periodSearch(search: Record<string, unknown>): Period {
  const days = SPANS.find((span) => span === Number(search.days));
  if (days !== undefined) return { days };
  const from = day(search.from);
  const to = day(search.to);
  if (from && to && to < from) return {};
  return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
}
