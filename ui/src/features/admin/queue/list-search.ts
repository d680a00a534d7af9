import { page, type SearchOf, searchParams, text } from '@/lib/search-params';

/** Parameters of every list; `review` is the row in the drawer. */
export const LIST = { page, review: text };

export const listSearch = searchParams(LIST);
export type ListSearch = SearchOf<typeof listSearch>;
