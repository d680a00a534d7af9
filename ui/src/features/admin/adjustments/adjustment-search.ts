import { oneOf, type SearchOf, searchParams, uuid, words } from '@/lib/search-params';
import { LIST } from '../queue/list-search';

const OTHER_TABS = ['confirmed', 'rejected', 'withdrawn', 'expired'] as const;
export const ADJUSTMENT_TABS = ['open', ...OTHER_TABS] as const;

/** The address of the corrections: no `tab` means the open ones; `propose` is a user for whom one is being proposed. */
export const adjustmentSearch = searchParams({ tab: oneOf(OTHER_TABS), ...LIST, search: words, propose: uuid });
export type AdjustmentSearch = SearchOf<typeof adjustmentSearch>;
