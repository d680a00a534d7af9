import type { PaymentMethod } from '@/api/contract';
import { invalidRange, PERIOD } from '@/lib/period-search';
import { oneOf, page, type SearchOf, searchParams, uuid, words } from '@/lib/search-params';

export const METHODS: readonly PaymentMethod[] = ['Bkash', 'Nagad'];

/** The method in the address opens its dialog, so that reloads and Back work. */
export const methodSearch = searchParams({ method: oneOf(METHODS) });

const dollars = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value <= 1e6 ? value : undefined;

/** The open form's method, its initial values, and the deal that the money is for. */
export const depositSearch = searchParams({ method: oneOf(METHODS), amount: dollars, trx: words, deal: uuid });

export const STATEMENT_KINDS = ['deals', 'deposits', 'withdrawals', 'rewards', 'corrections'] as const;

export const statementSearch = searchParams({ ...PERIOD, kind: oneOf(STATEMENT_KINDS), page }, invalidRange);

export type StatementSearch = SearchOf<typeof statementSearch>;
