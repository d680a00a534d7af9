import { CATEGORIES } from '@/entities/post/categories';
import { oneOf, page, type SearchOf, searchParams, words } from '@/lib/search-params';

export const MAX_SEARCH = 100;

const shortened = (value: unknown) =>
  words(
    Array.from(words(value) ?? '')
      .slice(0, MAX_SEARCH)
      .join(''),
  );

/** No `page` is the first; without `seed`, the server chooses an order. */
export const exploreSearch = searchParams({ search: shortened, category: oneOf(CATEGORIES), page, seed: words });
export type Listing = SearchOf<typeof exploreSearch>;
