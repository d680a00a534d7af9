import { MIN_SEARCH_LENGTH } from '@/entities/user/search-limits';
import { type SearchOf, searchParams, words } from '@/lib/search-params';
import { LIST } from '../queue/list-search';

/** The address of the users: `search` is what was searched for. */
export const userSearch = searchParams({ ...LIST, search: words }, ({ search }) =>
  search && search.length < MIN_SEARCH_LENGTH ? ['search'] : [],
);
export type UserSearch = SearchOf<typeof userSearch>;
