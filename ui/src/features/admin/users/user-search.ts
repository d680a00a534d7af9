import { MIN_SEARCH_LENGTH } from '@/entities/user/search-limits';
import { type ListSearch, listSearch } from '../queue/list-search';

/** The address of the users: `search` is what was searched for. */
export type UserSearch = ListSearch & { search?: string };

export function userSearch(search: Record<string, unknown>): UserSearch {
  // The router takes a search for "42" as a number.
  const wanted = typeof search.search === 'string' || typeof search.search === 'number' ? String(search.search).trim() : '';
  return { ...listSearch(search), ...(wanted.length >= MIN_SEARCH_LENGTH ? { search: wanted } : {}) };
}
