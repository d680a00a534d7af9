import { noRange, PERIOD } from '@/lib/period-search';
import { oneOf, page, type SearchOf, searchParams } from '@/lib/search-params';

/** The API's kinds of transactions. */
export const STATEMENT_KINDS = ['deals', 'deposits', 'withdrawals', 'rewards', 'corrections'] as const;

/** No parameters mean everything. */
export const statementSearch = searchParams({ ...PERIOD, kind: oneOf(STATEMENT_KINDS), page }, noRange);

export type StatementSearch = SearchOf<typeof statementSearch>;
