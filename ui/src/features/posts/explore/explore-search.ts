import { isCategory } from '@/entities/post/categories';
import { pageNumber } from '@/lib/paging';
import type { Listing } from '../queries';

/** The most that the server looks for. */
export const LONGEST_SEARCH = 100;

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '');

/** What the address of /explore may say. No `page` is the first, no `seed` an order yet to be given. */
export function exploreSearch(search: Record<string, unknown>): Listing {
  // The router reads "2024" as a number.
  const words = Array.from(text(search.search)).slice(0, LONGEST_SEARCH).join('').trim();
  const seed = text(search.seed);
  return {
    ...(words === '' ? {} : { search: words }),
    ...(isCategory(search.category) ? { category: search.category } : {}),
    ...pageNumber(search.page),
    ...(seed === '' ? {} : { seed }),
  };
}
