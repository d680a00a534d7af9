import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { WalletStatement } from '@/api/contract';
import { keys } from '@/entities/keys';
import { translate } from '@/i18n';
import { statement } from '@/i18n/en/statement';
import { api, send } from '@/lib/api';
import { daysOf } from '@/lib/period';
import { serverNow } from '@/lib/server-clock';
import type { StatementSearch } from './statement-search';

const PAGE_SIZE = 25;

/** The most transactions that a statement on paper has, as many as the file of the server. */
export const MOST_LINES = 10_000;
/** The server's longest page. */
const LONG_PAGE = 100;
/** Pages that are read at the same time. */
const AT_ONCE = 5;

/** What the server is asked for, in a page of the statement or in a file of it. */
const chosen = ({ kind, ...period }: StatementSearch) => ({ ...daysOf(period), ...(kind ? { kind } : {}) });

/** A page of what moved the balance. Its key lies under the wallet's, so that whatever changes the balance asks for both. */
export const statementQuery = (search: StatementSearch) => {
  const query = { ...chosen(search), page: search.page ?? 1, limit: PAGE_SIZE };
  return queryOptions({
    queryKey: [...keys.wallet, 'statement', query] as const,
    queryFn: ({ signal }) => send(api.GET('/wallet/statement', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    meta: { fallback: () => translate(statement, 'failed') },
  });
};

/** The path of the file of the statement, in the language of the page. */
export const statementFile = (search: StatementSearch, language: string): string =>
  `/wallet/statement/csv?${new URLSearchParams({ ...chosen(search), language })}`;

/** The lines of all pages, the oldest first, and when they were read. One that is too long comes with its sums only. */
async function readWhole(days: ReturnType<typeof chosen>, signal: AbortSignal): Promise<WalletStatement & { madeAt: number }> {
  const read = (page: number) =>
    send(api.GET('/wallet/statement', { params: { query: { ...days, page, limit: LONG_PAGE } }, signal }));
  const first = await read(1);
  const madeAt = serverNow();
  if (first.total > MOST_LINES) return { ...first, lines: [], madeAt };
  const lines = [...first.lines];
  for (let page = 2; page <= first.pages; page += AT_ONCE) {
    const count = Math.min(AT_ONCE, first.pages - page + 1);
    const parts = await Promise.all(Array.from({ length: count }, (_, index) => read(page + index)));
    // Money moved meanwhile, which moves lines to other pages: the lines would not lead from one balance to the other.
    if (parts.some(({ total }) => total !== first.total)) return readWhole(days, signal);
    for (const part of parts) lines.push(...part.lines);
  }
  return { ...first, lines: lines.reverse(), madeAt };
}

/** The whole statement, to be printed as it was when it was read: what moves money later does not change it. */
export const wholeStatementQuery = (search: StatementSearch) => {
  const days = chosen(search);
  return queryOptions({
    queryKey: ['whole-statement', days] as const,
    queryFn: ({ signal }) => readWhole(days, signal),
    staleTime: 30_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { quiet: true },
  });
};
