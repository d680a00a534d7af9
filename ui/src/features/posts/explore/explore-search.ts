import { CATEGORIES } from '@/entities/post/categories';
import { oneOf, page, type SearchOf, searchParams, words } from '@/lib/search-params';

/** The most that the server looks for. */
export const LONGEST_SEARCH = 100;

const shortened = (value: unknown) =>
  words(
    Array.from(words(value) ?? '')
      .slice(0, LONGEST_SEARCH)
      .join(''),
  );

/** What the address of /explore may say. No `page` is the first, no `seed` an order yet to be given. */
export const exploreSearch = searchParams({ search: shortened, category: oneOf(CATEGORIES), page, seed: words });
/** What is looked for, and where in the visitor's own order. */
export type Listing = SearchOf<typeof exploreSearch>;
