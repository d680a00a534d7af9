import { oneOf, type SearchOf, searchParams } from '@/lib/search-params';
import { LIST } from '../queue/list-search';

const OTHER_TABS = ['appealed', 'decided'] as const;
export const REPORT_TABS = ['open', ...OTHER_TABS] as const;
export type ReportTab = (typeof REPORT_TABS)[number];

/** No `tab` means those to decide. */
export const reportSearch = searchParams({ tab: oneOf(OTHER_TABS), ...LIST });
export type ReportSearch = SearchOf<typeof reportSearch>;
