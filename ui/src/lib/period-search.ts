import { day, oneOf, type SearchOf, searchParams } from './search-params';

/** Lifetime, the last 7, 15 or 30 days, or a range of one's own. */
export const SPANS = [7, 15, 30] as const;

export const PERIOD = { days: oneOf(SPANS), from: day, to: day };

/**
 * What is counted, as it stands in an address: the last days, or a first and a last day in Dhaka, both included and either of them open.
 * Nothing: lifetime.
 */
export type Period = SearchOf<typeof periodSearch>;

/** The last days are no range, and neither is one that ends before it begins. */
export const noRange = ({ days, from, to }: { days?: number; from?: string; to?: string }) =>
  days !== undefined || (from && to && to < from) ? (['from', 'to'] as const) : [];

export const periodSearch = searchParams(PERIOD, noRange);
