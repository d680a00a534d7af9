import { day, oneOf, type SearchOf, searchParams } from './search-params';

export const SPANS = [7, 15, 30] as const;

export const PERIOD = { days: oneOf(SPANS), from: day, to: day };

/**
 * A period in an address: the last days, or a first and last day in Dhaka, both included and each
 * optional. Empty means lifetime.
 */
export type Period = SearchOf<typeof periodSearch>;

/** Drops a range beside `days`, and one that ends before it begins. */
export const noRange = ({ days, from, to }: { days?: number; from?: string; to?: string }) =>
  days !== undefined || (from && to && to < from) ? (['from', 'to'] as const) : [];

export const periodSearch = searchParams(PERIOD, noRange);
