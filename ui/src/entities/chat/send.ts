import { onlineManager, type QueryClient } from '@tanstack/react-query';
import type { DirectMessage, MessageSent } from '@/api/contract';
import { translate } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { api, idempotent, send } from '@/lib/api';
import { isApiError, isTransient } from '@/lib/errors';
import { newKey } from '@/lib/idempotency';
import { reportFailure } from '@/lib/query-client';
import { serverNow } from '@/lib/server-clock';
import { writeChange } from './cache';
import { chatDraft, EMPTY_DRAFT, restoreChatDraft, setChatDraft } from './drafts';
import { chatKeys } from './keys';
import { enqueue, nextQueued, type PendingMessage, pendingMessage, putBack, setStatus, takeOut } from './outbox';
import { readerId } from './queries';
import { isOpenAndVisible } from './read-receipts';
import { type Outgoing, unsentOf } from './unsent-storage';

type Content = Pick<Outgoing, 'text' | 'image'>;

const MAX_RETRIES = 2;
const RETRY_DELAY = 1_000;

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Resolves when the browser has a network. */
function connected(): Promise<void> {
  if (onlineManager.isOnline()) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = onlineManager.subscribe((online) => {
      if (!online) return;
      unsubscribe();
      resolve();
    });
  });
}

/** Sends a message, again after failures of the network or the server: it carries a key under which the server takes it once. */
async function post(client: QueryClient, message: PendingMessage): Promise<MessageSent | null> {
  const { conversationId, text, image, key, senderId } = message;
  for (let failures = 0; ; failures += 1) {
    await connected();
    if (!pendingMessage(key)) return null;
    // It waited for the connection, and somebody else has logged in meanwhile.
    if (readerId(client) !== senderId) throw new Error('the sender has left');
    try {
      return await send(api.POST('/messages', { body: { conversationId, text, image }, headers: idempotent(key) }));
    } catch (error) {
      if (failures >= MAX_RETRIES || !isTransient(error)) throw error;
      await pause(RETRY_DELAY * (failures + 1));
    }
  }
}

/** What was typed comes back after a failure (docs/rules.md#chat-screens). It does not push away what was typed since. */
function giveBack({ senderId, conversationId, text, image, key }: Outgoing): void {
  const draft = chatDraft(senderId, conversationId);
  if (draft.text === '' && draft.image === '') restoreChatDraft(senderId, conversationId, { text, image, from: key });
}

/** Takes out of the composer what a message gave back to it. What was changed since is its writer's own. */
function takeAway({ senderId, conversationId, text, image, key }: Outgoing): void {
  const draft = chatDraft(senderId, conversationId);
  if (draft.from !== key) return;
  const changed = draft.text !== text || draft.image !== image;
  setChatDraft(senderId, conversationId, changed ? { ...draft, from: null } : EMPTY_DRAFT);
}

function fail(client: QueryClient, message: PendingMessage, error: unknown): void {
  const { conversationId, key } = message;
  if (!pendingMessage(key)) return; // its event came before the failure: it has arrived
  setStatus(key, 'failed');
  giveBack(message);
  // The other's account was disabled, perhaps: then there is no composer any more.
  if (isApiError(error, 'conflict')) void client.invalidateQueries({ queryKey: chatKeys.one(conversationId) });
  reportFailure(client, error, () => translate(chat, isOpenAndVisible(conversationId) ? 'failed.send' : 'failed.sendElsewhere'));
}

async function deliver(client: QueryClient, message: PendingMessage): Promise<void> {
  try {
    const sent = await post(client, message);
    takeOut(message.key);
    if (sent) writeChange(client, message.conversationId, { written: sent }, message.senderId);
  } catch (error) {
    fail(client, message, error);
  }
}

/** Sends what is queued of a conversation, one after the other; what was written offline waits until the connection is back. */
async function sendQueue(client: QueryClient, conversationId: string): Promise<void> {
  for (let next = nextQueued(conversationId); next; next = nextQueued(conversationId)) {
    setStatus(next.key, 'sending');
    await deliver(client, next);
  }
}

function start(client: QueryClient, message: Outgoing): void {
  enqueue(message);
  void sendQueue(client, message.conversationId);
}

/** Sends a message. It shows in its conversation at once, as one that is on its way. */
export function sendMessage(client: QueryClient, senderId: string, conversationId: string, content: Content): void {
  start(client, { key: newKey(), conversationId, senderId, at: serverNow(), ...content });
}

/**
 * Sends a failed message once more, as the same one: if it had arrived after all, it is not written twice. With `only` it does so only when that
 * is still what the message says. Returns whether it was sent.
 */
export function retryMessage(client: QueryClient, key: string, only?: Content): boolean {
  const message = pendingMessage(key);
  if (message?.status !== 'failed' || (only && (only.text !== message.text || only.image !== message.image))) return false;
  takeOut(key);
  takeAway(message);
  start(client, message);
  return true;
}

/** Its writer gives a failed message up, or sends another in its place: it goes, and what it gave back to the composer with it. */
export function giveUpMessage(key: string): void {
  if (pendingMessage(key)?.status !== 'failed') return;
  const message = takeOut(key);
  if (message) takeAway(message);
}

/** Before a conversation is shown: what an earlier load of this page did not get sent stands in it again, to be retried or given up. */
export function restoreUnsent(senderId: string, conversationId: string): void {
  putBack(unsentOf(senderId, conversationId));
}

/** A message of one's own has come by an event or with its conversation: if it is still in the outbox, it has arrived. */
export function confirmArrived({ clientKey }: DirectMessage): void {
  const message = clientKey === undefined ? undefined : takeOut(clientKey);
  if (message) takeAway(message);
}
