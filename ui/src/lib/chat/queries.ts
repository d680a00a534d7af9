import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Conversation, MessageHistory } from '@/api/contract';
import { api, send, sendList } from '@/lib/api';
import { keys } from '@/lib/queries';
import { connectionState } from '@/lib/realtime/live';
import { chatKeys } from './keys';
import { loadMeanwhile } from './meanwhile';
import { type Change, changedConversation, changedInbox, changedThread, type InboxPage } from './pages';

const INBOX_PAGE = 50;
/** How often to ask for what the socket would have told. */
const POLL = 15_000;

/** Asks again and again only while the socket is not there. */
const whileAlone = (): number | false => (connectionState() === 'open' ? false : POLL);

// SPEC §8: failures to fetch conversations are not said in toasts. Who has nothing to show, shows them in its place.
const meta = { quiet: true };

/** Whose inbox it is; chat is loaded behind the sign-in only. */
export function reader(client: QueryClient): string {
  return client.getQueryData<{ _id: string } | null>(keys.me)?._id ?? '';
}

/** The user's conversations, newest first, 50 a page. */
export const inboxQuery = infiniteQueryOptions({
  queryKey: chatKeys.list,
  queryFn: ({ pageParam: page, signal, client }) =>
    loadMeanwhile<InboxPage>(
      () => sendList(api.GET('/messages/conversations', { params: { query: { page, limit: INBOX_PAGE } }, signal })),
      (loaded, change) => changedInbox({ pages: [loaded], pageParams: [page] }, change, reader(client)).pages[0] ?? loaded,
    ),
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
    queryFn: ({ signal, client }) =>
      loadMeanwhile<Conversation>(
        () => send(api.GET('/messages/conversations/{id}', { params: { path: { id } }, signal })),
        (loaded, change) => changedConversation(loaded, change, reader(client)),
      ),
    refetchInterval: whileAlone,
    meta,
  });
}

function changedPage(id: string, page: MessageHistory, before: string | undefined, change: Change): MessageHistory {
  // What is new belongs to the newest page.
  if (before !== undefined && change.written) return page;
  return changedThread({ pages: [page], pageParams: [before] }, id, change).pages[0] ?? page;
}

/** The messages of a conversation, 30 a page, from the newest page back. */
export function messagesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: chatKeys.messages(id),
    queryFn: ({ pageParam: before, signal }) =>
      loadMeanwhile<MessageHistory>(
        () =>
          send(api.GET('/messages/{id}', { params: { path: { id }, query: before === undefined ? {} : { before } }, signal })),
        (loaded, change) => changedPage(id, loaded, before, change),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
    refetchInterval: whileAlone,
    meta,
  });
}

/** Whether anything is unread. When that cannot be known, there is no dot (SPEC §8). */
export const unreadQuery = queryOptions({
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
