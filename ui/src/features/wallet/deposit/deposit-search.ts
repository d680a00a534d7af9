import { oneOf, searchParams, uuid, words } from '@/lib/search-params';
import { METHODS } from '../request/methods';

const MOST = 1_000_000;

/** US dollars with at most two decimals. */
const dollars = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value <= MOST && Math.round(value * 100) / 100 === value ? value : undefined;

/** What may be a transaction ID: the router reads one of digits alone as a number. */
const transactionId = (value: unknown): string | undefined => {
  const text = words(value);
  return text && /^[A-Za-z0-9]{8,12}$/.test(text) ? text : undefined;
};

/** The address of the deposits: the method whose form is open, what the form holds at first, and the deal that the money is for. */
export const depositSearch = searchParams({ method: oneOf(METHODS), amount: dollars, trx: transactionId, deal: uuid });
