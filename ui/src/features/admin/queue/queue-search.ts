import { oneOf, type SearchOf, searchParams } from '@/lib/search-params';
import { LIST } from './list-search';

const HANDLED_TABS = ['completed', 'failed', 'all'] as const;
export const QUEUE_TABS = ['waiting', ...HANDLED_TABS] as const;
export type QueueTab = (typeof QUEUE_TABS)[number];

/** No `tab` means waiting. */
export const QUEUE = { tab: oneOf(HANDLED_TABS), ...LIST };

export const queueSearch = searchParams(QUEUE);
export type QueueSearch = SearchOf<typeof queueSearch>;
