import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { translate } from '@/i18n';
import { statement } from '@/i18n/en/statement';
import { api, send } from '@/lib/api';
import { daysOf } from '@/lib/period';
import type { StatementSearch } from './statement-search';

const PAGE_SIZE = 25;

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

/** The path of a file of the statement, in the language of the page. */
export const statementFile = (format: 'csv' | 'pdf', search: StatementSearch, language: string): string =>
  `/wallet/statement/${format}?${new URLSearchParams({ ...chosen(search), language })}`;
