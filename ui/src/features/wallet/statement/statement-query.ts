import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { WalletStatement } from '@/api/contract';
import { keys } from '@/entities/keys';
import { translate } from '@/i18n';
import { statement } from '@/i18n/en/statement';
import { api, send } from '@/lib/api';
import { daysOf } from '@/lib/period';
import type { StatementSearch } from '../wallet-search';

const PAGE_SIZE = 10;

const MAX_PAGE_SIZE = 100;
const PARALLEL_PAGES = 5;

const apiParams = ({ kind, ...period }: StatementSearch) => ({ ...daysOf(period), ...(kind ? { kind } : {}) });

/** The key is below the wallet's, so that both are invalidated together. */
export const statementQuery = (search: StatementSearch) => {
  const query = { ...apiParams(search), page: search.page ?? 1, limit: PAGE_SIZE };
  return queryOptions({
    queryKey: [...keys.wallet, 'statement', query] as const,
    queryFn: ({ signal }) => send(api.GET('/wallet/statement', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    meta: { fallback: () => translate(statement, 'failed') },
  });
};

export const statementFile = (search: StatementSearch, language: string): string =>
  `/wallet/statement/csv?${new URLSearchParams({ ...apiParams(search), language })}`;

/** Loads all pages, the oldest line first. A statement that is too long has no paper, only sums. */
async function readWhole(days: ReturnType<typeof apiParams>, signal: AbortSignal): Promise<WalletStatement> {
  const read = (page: number) =>
    send(api.GET('/wallet/statement', { params: { query: { ...days, page, limit: MAX_PAGE_SIZE } }, signal }));
  const first = await read(1);
  if (first.paper === null) return { ...first, lines: [] };
  const lines = [...first.lines];
  for (let page = 2; page <= first.pages; page += PARALLEL_PAGES) {
    const count = Math.min(PARALLEL_PAGES, first.pages - page + 1);
    const parts = await Promise.all(Array.from({ length: count }, (_, index) => read(page + index)));
    // Money moved meanwhile and shifted the pages, so the lines would not add up.
    if (parts.some(({ total }) => total !== first.total)) return readWhole(days, signal);
    for (const part of parts) lines.push(...part.lines);
  }
  return { ...first, lines: lines.reverse() };
}

/** The whole statement as of its loading; later movements do not change it. */
export const wholeStatementQuery = (search: StatementSearch) => {
  const days = apiParams(search);
  return queryOptions({
    queryKey: ['whole-statement', days] as const,
    queryFn: ({ signal }) => readWhole(days, signal),
    staleTime: 30_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { quiet: true },
  });
};
