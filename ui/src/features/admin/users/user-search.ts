import { MIN_SEARCH_LENGTH } from '@/entities/user/search-limits';
import { type SearchOf, searchParams, words } from '@/lib/search-params';
import { LIST } from '../queue/list-search';

export const userSearch = searchParams({ ...LIST, search: words }, ({ search }) =>
  search && search.length < MIN_SEARCH_LENGTH ? ['search'] : [],
);
export type UserSearch = SearchOf<typeof userSearch>;
