import { pageNumber } from '@/lib/paging';

/** The address of the support requests: `review` is the one whose drawer is open. */
export type SupportSearch = { page?: number; review?: string };

export function supportSearch(search: Record<string, unknown>): SupportSearch {
  return { ...pageNumber(search.page), ...(typeof search.review === 'string' ? { review: search.review } : {}) };
}
