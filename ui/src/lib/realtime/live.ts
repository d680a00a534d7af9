import { createStore, useSelector } from '@tanstack/react-store';
import type { ClientFrames } from './parse';

// Socket data that no query holds. The socket is a separate chunk that fills these stores.

/** `lost` after a connection ended or failed, `connecting` before the first one. */
export type Connection = 'connecting' | 'open' | 'lost';

const connection = createStore<Connection>('connecting');

export function connectionState(): Connection {
  return connection.state;
}

export function setConnection(state: Connection): void {
  connection.setState(() => state);
}

export function useConnection(): Connection {
  return useSelector(connection);
}

/** While connected, polling only catches missed events. */
const MIN_POLL_WHILE_CONNECTED = 60_000;

/** The polling interval: as given without a connection, else at least MIN_POLL_WHILE_CONNECTED. */
export function pollEvery(milliseconds: number): number {
  return connectionState() === 'open' ? Math.max(MIN_POLL_WHILE_CONNECTED, milliseconds) : milliseconds;
}

const online = createStore<ReadonlySet<string> | null>(null);

/** Sets which conversation partners are online; null if unknown. */
export function setOnline(userIds: readonly string[] | null): void {
  online.setState(() => userIds && new Set(userIds));
}

/** Reports whether a conversation partner is online; undefined while unknown. */
export function usePresence(userId: string): boolean | undefined {
  return useSelector(online, (userIds) => userIds?.has(userId));
}

/** Typing is shown for so long (docs/rules.md#typing). */
const TYPING_TIMEOUT = 3_000;
const typing = createStore<ReadonlySet<string>>(new Set<string>());
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export function stopTyping(conversationId: string): void {
  clearTimeout(timers.get(conversationId));
  timers.delete(conversationId);
  const rest = new Set(typing.state);
  if (rest.delete(conversationId)) typing.setState(() => rest);
}

/** Shows the partner as typing until three seconds after the last such frame. */
export function noteTyping(conversationId: string): void {
  clearTimeout(timers.get(conversationId));
  timers.set(
    conversationId,
    setTimeout(() => stopTyping(conversationId), TYPING_TIMEOUT),
  );
  if (!typing.state.has(conversationId)) typing.setState((all) => new Set(all).add(conversationId));
}

export function useTyping(conversationId: string): boolean {
  return useSelector(typing, (all) => all.has(conversationId));
}

type Send = <T extends keyof ClientFrames>(type: T, data: ClientFrames[T]) => boolean;

let send: Send | null = null;

/** Registers the socket, or null without one. */
export function sendOver(socket: Send | null): void {
  send = socket;
}

/** Sends a frame that may be lost. Returns false if there is no open connection. */
export function sendFrame<T extends keyof ClientFrames>(type: T, data: ClientFrames[T]): boolean {
  return send?.(type, data) ?? false;
}

export function resetLive(): void {
  setOnline(null);
  for (const conversationId of [...timers.keys()]) stopTyping(conversationId);
}
