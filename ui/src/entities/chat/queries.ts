import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send, sendList } from '@/lib/api';
import { connectionState } from '@/lib/realtime/live';
import { type ConversationsPage, chatKeys } from './cache';

const INBOX_PAGE = 50;
const POLL = 15_000;

const pollWithoutSocket = (): number | false => (connectionState() === 'open' ? false : POLL);

// The list shows failures itself, without a toast (docs/rules.md#failures).
const meta = { quiet: true };

/** The signed-in user's id. Chat is only loaded for signed-in users. */
export function readerId(client: QueryClient): string {
  return client.getQueryData<{ _id: string } | null>(keys.me)?._id ?? '';
}

export const inboxQuery = infiniteQueryOptions({
  queryKey: chatKeys.list,
  queryFn: ({ pageParam: page, signal }): Promise<ConversationsPage> =>
    sendList(api.GET('/messages/conversations', { params: { query: { page, limit: INBOX_PAGE } }, signal })),
  initialPageParam: 1,
  getNextPageParam: (last, pages) =>
    last.rows.length > 0 && pages.reduce((sum, { rows }) => sum + rows.length, 0) < last.total ? pages.length + 1 : undefined,
  refetchInterval: pollWithoutSocket,
  meta,
});

export function conversationQuery(id: string) {
  return queryOptions({
    queryKey: chatKeys.one(id),
    // Without the signal: the route's loader waits for it, even if the page stops observing it.
    queryFn: () => send(api.GET('/messages/conversations/{id}', { params: { path: { id } } })),
    refetchInterval: pollWithoutSocket,
    meta,
  });
}

/** The messages of a conversation, 30 a page, from the newest page back. */
export function messagesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: chatKeys.messages(id),
    queryFn: ({ pageParam: before, signal }) =>
      send(api.GET('/messages/{id}', { params: { path: { id }, query: before === undefined ? {} : { before } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
    refetchInterval: pollWithoutSocket,
    meta,
  });
}

export const unreadMessagesQuery = queryOptions({
  queryKey: chatKeys.unread,
  queryFn: async ({ signal }) => {
    try {
      return (await send(api.GET('/messages/unread-dot', { signal }))).hasUnread;
    } catch (error) {
      if (signal.aborted) throw error;
      return false;
    }
  },
  refetchInterval: pollWithoutSocket,
  meta,
});
