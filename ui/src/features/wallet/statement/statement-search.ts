import { invalidRange, PERIOD } from '@/lib/period-search';
import { oneOf, page, type SearchOf, searchParams } from '@/lib/search-params';

export const STATEMENT_KINDS = ['deals', 'deposits', 'withdrawals', 'rewards', 'corrections'] as const;

export const statementSearch = searchParams({ ...PERIOD, kind: oneOf(STATEMENT_KINDS), page }, invalidRange);

export type StatementSearch = SearchOf<typeof statementSearch>;
