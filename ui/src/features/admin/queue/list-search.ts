import { pageNumber } from '@/lib/paging';

/** The address of a list without tabs: `review` is the row whose drawer is open. */
export type ListSearch = { page?: number; review?: string };

export function listSearch(search: Record<string, unknown>): ListSearch {
  return { ...pageNumber(search.page), ...(typeof search.review === 'string' ? { review: search.review } : {}) };
}
