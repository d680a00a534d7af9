import type { QueryClient } from '@tanstack/react-query';
import type { Conversation } from '@/api/contract';
import { api, send } from '@/lib/api';
import { perClient } from '@/lib/per-client';
import { sessionEnded, sessionGone } from '@/lib/query-client';
import { sendFrame } from '@/lib/realtime/live';
import { writeChange } from './cache';
import { chatKeys } from './keys';
import { readerId } from './queries';
import type { Inbox } from './reducers';

/** The conversation that is on this page. */
let open: string | null = null;

const receiptsOf = perClient(() => ({
  /** Conversations whose server is being told that they are read, and whether it must be told once more. */
  telling: new Map<string, boolean>(),
  /** Those it could not be told of. */
  untold: new Set<string>(),
}));

/** Whether the conversation is on this page and the page is in view. */
export function isOpenAndVisible(conversationId: string): boolean {
  return conversationId === open && document.visibilityState === 'visible';
}

function known(client: QueryClient, id: string): Conversation | undefined {
  const one = client.getQueryData<Conversation>(chatKeys.one(id));
  return (
    one ??
    client
      .getQueryData<Inbox>(chatKeys.list)
      ?.pages.flatMap(({ rows }) => rows)
      .find(({ _id }) => _id === id)
  );
}

/** Shows everywhere on this page that I have read the conversation. */
function showRead(client: QueryClient, id: string): void {
  const me = readerId(client);
  // Ticks are for the other's eyes, so it does not matter here up to which message.
  writeChange(client, id, { read: { conversationId: id, readerId: me, upTo: '' } }, me);
}

async function tell(client: QueryClient, id: string): Promise<void> {
  const { telling, untold } = receiptsOf(client);
  try {
    do {
      telling.set(id, false);
      await send(api.POST('/messages/mark-as-read', { body: { conversationId: id } }));
      sendFrame('markAsRead', { conversationId: id });
    } while (telling.get(id));
    untold.delete(id);
    void client.invalidateQueries({ queryKey: chatKeys.unread });
  } catch (error) {
    // It stays read here, and the server hears of it when somebody looks again.
    untold.add(id);
    if (sessionGone(error)) sessionEnded(client);
  } finally {
    telling.delete(id);
  }
}

/** Marks a conversation as read here and on the server. While that runs, further calls come to one. */
export function markRead(client: QueryClient, id: string): void {
  const { telling } = receiptsOf(client);
  showRead(client, id);
  if (telling.has(id)) telling.set(id, true);
  else void tell(client, id);
}

/** The conversation is on the page from now on, and whoever looks at it has read it; until the returned function is called. */
export function openConversation(client: QueryClient, id: string): () => void {
  const look = () => {
    if (isOpenAndVisible(id) && (receiptsOf(client).untold.has(id) || known(client, id)?.unread)) markRead(client, id);
  };
  open = id;
  look();
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('online', look);
    if (open === id) open = null;
  };
}
