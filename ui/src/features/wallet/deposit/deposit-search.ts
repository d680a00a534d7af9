import { oneOf, searchParams, uuid, words } from '@/lib/search-params';
import { METHODS } from '../request/methods';

const dollars = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value <= 1e6 ? value : undefined;

/** The open form's method, its initial values, and the deal that the money is for. */
export const depositSearch = searchParams({ method: oneOf(METHODS), amount: dollars, trx: words, deal: uuid });
