import { createStore, useSelector } from '@tanstack/react-store';
import { useMemo } from 'react';
import { storeForTab, UNSENT } from '@/lib/storage';
import { onStorageCleared } from '@/lib/storage-owner';

/** The server accepts a message once per `key`; `at` is the time of writing by its clock. */
export type Outgoing = { key: string; conversationId: string; senderId: string; text: string; image: string; at: number };

const placeOf = (senderId: string, conversationId: string): string => `${UNSENT}${senderId}:${conversationId}:`;
const nameOf = ({ senderId, conversationId, key }: Outgoing): string => `${placeOf(senderId, conversationId)}${key}`;

/** Stores a message for a reload of this tab, until it is known to have arrived. */
function storeUnsent(outgoing: Outgoing): void {
  try {
    storeForTab(nameOf(outgoing), outgoing);
  } catch {
    // No storage, or the picture is too large: a reload loses it.
  }
}

function dropUnsent(outgoing: Outgoing): void {
  try {
    sessionStorage.removeItem(nameOf(outgoing));
  } catch {
    // Nothing was kept.
  }
}

export function unsentOf(senderId: string, conversationId: string): Outgoing[] {
  try {
    const place = placeOf(senderId, conversationId);
    return Object.keys(sessionStorage)
      .filter((name) => name.startsWith(place))
      .map((name) => JSON.parse(sessionStorage.getItem(name) ?? '') as Outgoing)
      .sort((one, other) => one.at - other.at);
  } catch {
    return [];
  }
}

/** `failed`: refused, or the server was unreachable. It waits for Retry. */
type Status = 'queued' | 'sending' | 'failed';
export type PendingMessage = Outgoing & { status: Status };

/** Messages not known to have arrived, in the order of writing. */
const outbox = createStore<readonly PendingMessage[]>([]);

export function pendingMessage(key: string): PendingMessage | undefined {
  return outbox.state.find((message) => message.key === key);
}

/** The next message to send in a conversation; undefined while one is being sent. */
export function nextQueued(conversationId: string): PendingMessage | undefined {
  const all = outbox.state.filter((message) => message.conversationId === conversationId);
  return all.some(({ status }) => status === 'sending') ? undefined : all.find(({ status }) => status === 'queued');
}

export function enqueue(message: Outgoing): void {
  storeUnsent(message);
  outbox.setState((all) => [...all, { ...message, status: 'queued' }]);
}

export function setStatus(key: string, status: Status): void {
  outbox.setState((all) => all.map((message) => (message.key === key ? { ...message, status } : message)));
}

/** Removes a message that has arrived or was discarded, and returns it. */
export function removePending(key: string): PendingMessage | undefined {
  const message = pendingMessage(key);
  if (!message) return undefined;
  dropUnsent(message);
  outbox.setState((all) => all.filter((one) => one !== message));
  return message;
}

/** Restores messages that were unsent when the page was reloaded. */
export function restorePending(unsent: readonly Outgoing[]): void {
  const missing = unsent.filter(({ key }) => !pendingMessage(key));
  if (missing.length === 0) return;
  outbox.setState((all) => [...all, ...missing.map((message) => ({ ...message, status: 'failed' as const }))]);
}

/** Empties the outbox; the tab's storage keeps the messages. */
export function resetOutbox(): void {
  outbox.setState(() => []);
}

onStorageCleared(resetOutbox);

export function usePendingMessages(senderId: string, conversationId: string): PendingMessage[] {
  const all = useSelector(outbox);
  return useMemo(
    () => all.filter((message) => message.senderId === senderId && message.conversationId === conversationId),
    [all, senderId, conversationId],
  );
}
