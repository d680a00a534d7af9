import { type SearchOf, searchParams, uuid } from '@/lib/search-params';

/** The address of the chat inspector: the ids of the two people. */
export const chatSearch = searchParams({ one: uuid, other: uuid });
export type ChatSearch = SearchOf<typeof chatSearch>;
