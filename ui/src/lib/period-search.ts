import { day, oneOf, type SearchOf, searchParams } from './search-params';

export const SPANS = [7, 15, 30] as const;

export const PERIOD = { days: oneOf(SPANS), from: day, to: day };

/** The last days, or a range in Dhaka with optional ends. Empty means lifetime. */
export type Period = SearchOf<typeof periodSearch>;

/** Drops a range beside `days`, and one that ends before it begins. */
export const invalidRange = ({ days, from, to }: { days?: number; from?: string; to?: string }) =>
  days !== undefined || (from && to && to < from) ? (['from', 'to'] as const) : [];

export const periodSearch = searchParams(PERIOD, invalidRange);
