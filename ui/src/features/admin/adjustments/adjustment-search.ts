import { oneOf, type SearchOf, searchParams, uuid, words } from '@/lib/search-params';
import { LIST } from '../queue/list-search';

const OTHER_TABS = ['confirmed', 'rejected', 'withdrawn', 'expired'] as const;
export const ADJUSTMENT_TABS = ['open', ...OTHER_TABS] as const;

/** No `tab` means open ones; `propose` is the user of a new correction. */
export const adjustmentSearch = searchParams({ tab: oneOf(OTHER_TABS), ...LIST, search: words, propose: uuid });
export type AdjustmentSearch = SearchOf<typeof adjustmentSearch>;
