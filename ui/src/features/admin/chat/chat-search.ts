import { type SearchOf, searchParams, uuid } from '@/lib/search-params';

export const chatSearch = searchParams({ one: uuid, other: uuid });
export type ChatSearch = SearchOf<typeof chatSearch>;
