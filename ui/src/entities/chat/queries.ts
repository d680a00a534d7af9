import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send, sendList } from '@/lib/api';
import { connectionState } from '@/lib/realtime/live';
import { chatKeys } from './keys';
import type { ConversationsPage } from './reducers';

const INBOX_PAGE = 50;
/** How often to ask for what the socket would have told. */
const POLL = 15_000;

/** Asks again and again only while the socket is not there. */
const whileAlone = (): number | false => (connectionState() === 'open' ? false : POLL);

// Failures to fetch conversations raise no toast; they are shown in the place of the list (docs/rules.md#failures).
const meta = { quiet: true };

/** Whose inbox it is; chat is loaded behind the sign-in only. */
export function readerId(client: QueryClient): string {
  return client.getQueryData<{ _id: string } | null>(keys.me)?._id ?? '';
}

/** The user's conversations, newest first, 50 a page. */
export const inboxQuery = infiniteQueryOptions({
  queryKey: chatKeys.list,
  queryFn: ({ pageParam: page, signal }): Promise<ConversationsPage> =>
    sendList(api.GET('/messages/conversations', { params: { query: { page, limit: INBOX_PAGE } }, signal })),
  initialPageParam: 1,
  getNextPageParam: (last, pages) =>
    last.rows.length > 0 && pages.reduce((sum, { rows }) => sum + rows.length, 0) < last.total ? pages.length + 1 : undefined,
  refetchInterval: whileAlone,
  meta,
});

/** One conversation of the user. */
export function conversationQuery(id: string) {
  return queryOptions({
    queryKey: chatKeys.one(id),
    queryFn: ({ signal }) => send(api.GET('/messages/conversations/{id}', { params: { path: { id } }, signal })),
    refetchInterval: whileAlone,
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
    refetchInterval: whileAlone,
    meta,
  });
}

/** Whether anything is unread. When that cannot be known, there is no dot. */
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
  refetchInterval: whileAlone,
  meta,
});
