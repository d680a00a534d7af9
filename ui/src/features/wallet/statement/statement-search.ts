import { noRange, PERIOD } from '@/lib/period-search';
import { oneOf, page, type SearchOf, searchParams } from '@/lib/search-params';

/** The kinds of transactions by which a statement can be filtered, as the API names them. */
export const STATEMENT_KINDS = ['deals', 'deposits', 'withdrawals', 'rewards', 'corrections'] as const;

/** Which days and transactions a statement has; nothing means all. */
export const statementSearch = searchParams({ ...PERIOD, kind: oneOf(STATEMENT_KINDS), page }, noRange);

export type StatementSearch = SearchOf<typeof statementSearch>;
