import { page, type SearchOf, searchParams, text } from '@/lib/search-params';

/** What the address of every list may say: `review` is the row whose drawer is open. */
export const LIST = { page, review: text };

/** The address of a list without tabs. */
export const listSearch = searchParams(LIST);
export type ListSearch = SearchOf<typeof listSearch>;
