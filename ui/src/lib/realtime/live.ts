import { createStore, useSelector } from '@tanstack/react-store';
import type { ClientFrames } from './frames';

// What comes over the socket and belongs to no cached answer. The socket itself is a chunk of its own that fills these stores when it is there.

/** `lost` after a connection was there and ended, or could not be made; `connecting` before the first. */
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

/** While the socket tells what happens, asking is only for what it might have missed. */
const SELDOM = 60_000;

/** How often to ask for what the socket tells: so often while there is no connection, else seldom. */
export function pollEvery(milliseconds: number): number {
  return connectionState() === 'open' ? Math.max(SELDOM, milliseconds) : milliseconds;
}

const online = createStore<ReadonlySet<string> | null>(null);

/** Who of one's conversation partners is online; null: not known. */
export function setOnline(userIds: readonly string[] | null): void {
  online.setState(() => userIds && new Set(userIds));
}

/** Whether somebody with whom one has a conversation is online; undefined while that is not known. */
export function usePresence(userId: string): boolean | undefined {
  return useSelector(online, (userIds) => userIds?.has(userId));
}

/** How long somebody is shown as typing (docs/rules.md#typing). */
const TYPING = 3_000;
const typing = createStore<ReadonlySet<string>>(new Set<string>());
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export function stopTyping(conversationId: string): void {
  clearTimeout(timers.get(conversationId));
  timers.delete(conversationId);
  const rest = new Set(typing.state);
  if (rest.delete(conversationId)) typing.setState(() => rest);
}

/** The other one of the conversation types: true until three seconds after the last such frame. */
export function noteTyping(conversationId: string): void {
  clearTimeout(timers.get(conversationId));
  timers.set(
    conversationId,
    setTimeout(() => stopTyping(conversationId), TYPING),
  );
  if (!typing.state.has(conversationId)) typing.setState((all) => new Set(all).add(conversationId));
}

/** Whether the other one of the conversation is typing. */
export function useTyping(conversationId: string): boolean {
  return useSelector(typing, (all) => all.has(conversationId));
}

type Send = <T extends keyof ClientFrames>(type: T, data: ClientFrames[T]) => boolean;

let send: Send | null = null;

/** The socket registers here while it is there. */
export function sendOver(socket: Send | null): void {
  send = socket;
}

/** Sends a frame that may be lost; false: there is no open connection, and nothing was sent. */
export function sendFrame<T extends keyof ClientFrames>(type: T, data: ClientFrames[T]): boolean {
  return send?.(type, data) ?? false;
}

/** Nothing is known any more of who is there and who types. */
export function resetLive(): void {
  setOnline(null);
  for (const conversationId of [...timers.keys()]) stopTyping(conversationId);
}
