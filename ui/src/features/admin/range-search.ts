/** A range of days in Dhaka as it stands in the address; both ends belong to it, and one that is not given is open. */
export type Range = { startDate?: string; endDate?: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function day(value: unknown): string | undefined {
  if (typeof value !== 'string' || !DAY.test(value)) return undefined;
  const begins = new Date(value);
  // "2026-02-31" is a date to some engines, but another one.
  return !Number.isNaN(begins.getTime()) && begins.toISOString().startsWith(value) ? value : undefined;
}

export const isOrdered = ({ startDate, endDate }: Range): boolean => !startDate || !endDate || startDate <= endDate;

/** The range of an address. What is no range there means all time. */
export function rangeSearch(search: Record<string, unknown>): Range {
  const startDate = day(search.startDate);
  const endDate = day(search.endDate);
  const range = { ...(startDate ? { startDate } : {}), ...(endDate ? { endDate } : {}) };
  return isOrdered(range) ? range : {};
}
