import type { Conversation } from '@/api/contract';
import { api, send } from '@/lib/api';
import { queryClient } from '@/lib/query-client';
import { sendFrame } from '@/lib/realtime/live';
import { writeChange } from './cache';
import { chatKeys } from './keys';
import { readerId } from './queries';
import type { Inbox } from './reducers';

/** The conversation that is on this page. */
let open: string | null = null;
/** Conversations whose server is being told that they are read, and whether it must be told once more. */
const telling = new Map<string, boolean>();
/** Those it could not be told of. */
const untold = new Set<string>();

/** Whether the conversation is on this page and the page is in view. */
export function isOpenAndVisible(conversationId: string): boolean {
  return conversationId === open && document.visibilityState === 'visible';
}

function known(id: string): Conversation | undefined {
  const one = queryClient.getQueryData<Conversation>(chatKeys.one(id));
  return (
    one ??
    queryClient
      .getQueryData<Inbox>(chatKeys.list)
      ?.pages.flatMap(({ rows }) => rows)
      .find(({ _id }) => _id === id)
  );
}

/** Shows everywhere on this page that I have read the conversation. */
function showRead(id: string): void {
  const me = readerId(queryClient);
  // Ticks are for the other's eyes, so it does not matter here up to which message.
  writeChange(queryClient, id, { read: { conversationId: id, readerId: me, upTo: '' } }, me);
}

async function tell(id: string): Promise<void> {
  const cache = queryClient.getMutationCache();
  const mutationFn = () => send(api.POST('/messages/mark-as-read', { body: { conversationId: id } }));
  try {
    do {
      telling.set(id, false);
      // A mutation, so that a session that is over is noticed as everywhere.
      const mutation = cache.build(queryClient, { mutationFn, meta: { quiet: true }, gcTime: 0 });
      await mutation.execute(undefined);
      sendFrame('markAsRead', { conversationId: id });
    } while (telling.get(id));
    untold.delete(id);
    void queryClient.invalidateQueries({ queryKey: chatKeys.unread });
  } catch {
    // It stays read here, and the server hears of it when somebody looks again.
    untold.add(id);
  } finally {
    telling.delete(id);
  }
}

/** Marks a conversation as read here and on the server. While that runs, further calls come to one. */
export function markRead(id: string): void {
  showRead(id);
  if (telling.has(id)) telling.set(id, true);
  else void tell(id);
}

/** Whoever looks at a conversation has read it. */
function look(): void {
  if (open !== null && isOpenAndVisible(open) && (untold.has(open) || known(open)?.unread)) markRead(open);
}

document.addEventListener('visibilitychange', look);
window.addEventListener('online', look);

/** The conversation is on the page from now on, and so is read; until the returned function is called. */
export function openConversation(id: string): () => void {
  open = id;
  look();
  return () => {
    if (open === id) open = null;
  };
}
