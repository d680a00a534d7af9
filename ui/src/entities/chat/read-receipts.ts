import type { QueryClient } from '@tanstack/react-query';
import type { Conversation } from '@/api/contract';
import { api, send } from '@/lib/api';
import { perClient } from '@/lib/per-client';
import { sessionEnded, sessionGone } from '@/lib/query-client';
import { sendFrame } from '@/lib/realtime/live';
import { chatKeys, type Inbox, writeChange } from './cache';
import { readerId } from './queries';

let open: string | null = null;

const receiptsOf = perClient(() => ({
  /** Running calls by conversation; true to repeat the call afterwards. */
  running: new Map<string, boolean>(),
  failed: new Set<string>(),
}));

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

function showRead(client: QueryClient, id: string): void {
  const me = readerId(client);
  // `upTo` only matters for the partner's ticks.
  writeChange(client, id, { read: { conversationId: id, readerId: me, upTo: '' } }, me);
}

async function tell(client: QueryClient, id: string): Promise<void> {
  const { running, failed } = receiptsOf(client);
  try {
    do {
      running.set(id, false);
      await send(api.POST('/messages/mark-as-read', { body: { conversationId: id } }));
      sendFrame('markAsRead', { conversationId: id });
    } while (running.get(id));
    failed.delete(id);
    void client.invalidateQueries({ queryKey: chatKeys.unread });
  } catch (error) {
    // It stays read on the page, and the call is repeated on the next look.
    failed.add(id);
    if (sessionGone(error)) sessionEnded(client);
  } finally {
    running.delete(id);
  }
}

/** Marks a conversation as read here and on the server. Calls during a running one are merged. */
export function markRead(client: QueryClient, id: string): void {
  const { running } = receiptsOf(client);
  showRead(client, id);
  if (running.has(id)) running.set(id, true);
  else void tell(client, id);
}

/** Opens a conversation and marks it as read while visible. Returns the function that closes it. */
export function openConversation(client: QueryClient, id: string): () => void {
  const look = () => {
    if (isOpenAndVisible(id) && (receiptsOf(client).failed.has(id) || known(client, id)?.unread)) markRead(client, id);
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
