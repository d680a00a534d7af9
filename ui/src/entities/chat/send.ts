import { onlineManager, type QueryClient } from '@tanstack/react-query';
import type { DirectMessage, MessageSent } from '@/api/contract';
import { translate } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { api, idempotent, send } from '@/lib/api';
import { isApiError, isTransient } from '@/lib/errors';
import { newKey } from '@/lib/idempotency';
import { reportFailure } from '@/lib/query-client';
import { serverNow } from '@/lib/server-clock';
import { chatKeys, writeChange } from './cache';
import { chatDraft, EMPTY_DRAFT, restoreChatDraft, setChatDraft } from './drafts';
import {
  enqueue,
  nextQueued,
  type Outgoing,
  type PendingMessage,
  pendingMessage,
  removePending,
  restorePending,
  setStatus,
  unsentOf,
} from './outbox';
import { readerId } from './queries';
import { isOpenAndVisible } from './read-receipts';

type Content = Pick<Outgoing, 'text' | 'image'>;

const MAX_RETRIES = 2;
const RETRY_DELAY = 1_000;

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

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

/** Retries after failures of the network or the server; the server accepts a key once. */
async function post(client: QueryClient, message: PendingMessage): Promise<MessageSent | null> {
  const { conversationId, text, image, key, senderId } = message;
  for (let failures = 0; ; failures += 1) {
    await connected();
    if (!pendingMessage(key)) return null;
    // Somebody else has logged in while it waited for the connection.
    if (readerId(client) !== senderId) throw new Error('the sender has left');
    try {
      return await send(api.POST('/messages', { body: { conversationId, text, image }, headers: idempotent(key) }));
    } catch (error) {
      if (failures >= MAX_RETRIES || !isTransient(error)) throw error;
      await pause(RETRY_DELAY * (failures + 1));
    }
  }
}

/** Restores a failed text (docs/rules.md#chat-screens), unless something was typed since. */
function returnToComposer({ senderId, conversationId, text, image, key }: Outgoing): void {
  const draft = chatDraft(senderId, conversationId);
  if (draft.text === '' && draft.image === '') restoreChatDraft(senderId, conversationId, { text, image, from: key });
}

/** Clears the composer if it still holds this failed message, unedited. */
function clearReturnedDraft({ senderId, conversationId, text, image, key }: Outgoing): void {
  const draft = chatDraft(senderId, conversationId);
  if (draft.from !== key) return;
  const changed = draft.text !== text || draft.image !== image;
  setChatDraft(senderId, conversationId, changed ? { ...draft, from: null } : EMPTY_DRAFT);
}

function fail(client: QueryClient, message: PendingMessage, error: unknown): void {
  const { conversationId, key } = message;
  if (!pendingMessage(key)) return; // its event came first: it has arrived
  setStatus(key, 'failed');
  returnToComposer(message);
  // If the partner's account was disabled, the composer goes.
  if (isApiError(error, 'conflict')) void client.invalidateQueries({ queryKey: chatKeys.one(conversationId) });
  reportFailure(client, error, () => translate(chat, isOpenAndVisible(conversationId) ? 'failed.send' : 'failed.sendElsewhere'));
}

async function deliver(client: QueryClient, message: PendingMessage): Promise<void> {
  try {
    const sent = await post(client, message);
    removePending(message.key);
    if (sent) writeChange(client, message.conversationId, { written: sent }, message.senderId);
  } catch (error) {
    fail(client, message, error);
  }
}

/** Sends a conversation's queue in order, and waits while offline. */
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

/** Queues a message, which is shown at once as pending. */
export function sendMessage(client: QueryClient, senderId: string, conversationId: string, content: Content): void {
  start(client, { key: newKey(), conversationId, senderId, at: serverNow(), ...content });
}

/**
 * Retries a failed message under its key, so that it is never written twice. With `only`, it does
 * so only if the content is the same. Returns whether it was queued.
 */
export function retryMessage(client: QueryClient, key: string, only?: Content): boolean {
  const message = pendingMessage(key);
  if (message?.status !== 'failed' || (only && (only.text !== message.text || only.image !== message.image))) return false;
  removePending(key);
  clearReturnedDraft(message);
  start(client, message);
  return true;
}

export function giveUpMessage(key: string): void {
  if (pendingMessage(key)?.status !== 'failed') return;
  const message = removePending(key);
  if (message) clearReturnedDraft(message);
}

/** Restores unsent messages of an earlier page load before a conversation is shown. */
export function restoreUnsent(senderId: string, conversationId: string): void {
  restorePending(unsentOf(senderId, conversationId));
}

/** Removes an own message from the outbox once it is in an event or a response. */
export function confirmArrived({ clientKey }: DirectMessage): void {
  const message = clientKey === undefined ? undefined : removePending(clientKey);
  if (message) clearReturnedDraft(message);
}
