import { CATEGORIES } from '@/entities/post/categories';
import { oneOf, page, type SearchOf, searchParams, text, words } from '@/lib/search-params';

export const MAX_SEARCH = 100;

const shortened = (value: unknown) =>
  words(
    Array.from(words(value) ?? '')
      .slice(0, MAX_SEARCH)
      .join(''),
  );

export const SORTS = ['newest', 'price', '-price'] as const;

const MAX_DOLLARS = 1_000_000;

/** A price in dollars. */
const dollars = (value: unknown): number | undefined => {
  const amount = Math.round(Number(words(value)) * 100) / 100;
  return amount > 0 && amount <= MAX_DOLLARS ? amount : undefined;
};

/** No `page` is the first; without `seed`, the server chooses an order. */
export const exploreSearch = searchParams({
  search: shortened,
  category: oneOf(CATEGORIES),
  page,
  seed: words,
  sort: oneOf(SORTS),
  min: dollars,
  max: dollars,
  subcategory: words,
  facts: text,
  // A visitor saves the search after the login.
  next: oneOf(['save']),
});
export type Listing = SearchOf<typeof exploreSearch>;

/** What the server answers with a sorted list, in place of the random order. */
const FILTERS = ['sort', 'min', 'max', 'subcategory', 'facts'] as const;

export const isFiltered = (at: Listing): boolean => FILTERS.some((name) => at[name] !== undefined);
