import { oneOf, type SearchOf, searchParams } from '@/lib/search-params';
import { LIST } from '../queue/list-search';

const OTHER_TABS = ['appealed', 'decided', 'settled', 'closed'] as const;
export const DISPUTE_TABS = ['open', ...OTHER_TABS] as const;
export type DisputeTab = (typeof DISPUTE_TABS)[number];

/** No `tab` means those to decide. */
export const disputeSearch = searchParams({ tab: oneOf(OTHER_TABS), ...LIST });
export type DisputeSearch = SearchOf<typeof disputeSearch>;
