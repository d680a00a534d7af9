import { pageNumber } from '@/lib/paging';

export const QUEUE_TABS = ['waiting', 'completed', 'failed', 'all'] as const;
export type QueueTab = (typeof QUEUE_TABS)[number];

/** The address of a queue: no `tab` means waiting, no `page` the first; `review` is the row whose drawer is open. */
export type QueueSearch = { tab?: Exclude<QueueTab, 'waiting'>; page?: number; review?: string };

export function queueSearch(search: Record<string, unknown>): QueueSearch {
  const tab = QUEUE_TABS.find((known) => known === search.tab);
  return {
    ...(tab && tab !== 'waiting' ? { tab } : {}),
    ...pageNumber(search.page),
    ...(typeof search.review === 'string' ? { review: search.review } : {}),
  };
}
