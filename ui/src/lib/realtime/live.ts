import { useSyncExternalStore } from 'react';
import type { ClientFrames } from './frames';

/** What comes over the socket and belongs to no cached answer. The socket itself is a chunk of its own that fills these stores when it is there. */
type Store<T> = { get: () => T; set: (value: T) => void; subscribe: (listener: () => void) => () => void };

function store<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** `lost` after a connection was there and ended, or could not be made; `connecting` before the first. */
export type Connection = 'connecting' | 'open' | 'lost';

const connection = store<Connection>('connecting');
export const connectionState = connection.get;
export const setConnection = connection.set;

export function useConnection(): Connection {
  return useSyncExternalStore(connection.subscribe, connection.get);
}

/** While the socket tells what happens, asking is only for what it might have missed. */
const SELDOM = 60_000;

/** How often to ask for what the socket tells: so often while there is no connection, else seldom. */
export function pollEvery(milliseconds: number): number {
  return connectionState() === 'open' ? Math.max(SELDOM, milliseconds) : milliseconds;
}

const online = store<ReadonlySet<string> | null>(null);

/** Who of one's conversation partners is online; null: not known. */
export function setOnline(userIds: readonly string[] | null): void {
  online.set(userIds && new Set(userIds));
}

/** Whether somebody with whom one has a conversation is online; undefined while that is not known. */
export function usePresence(userId: string): boolean | undefined {
  return useSyncExternalStore(online.subscribe, () => online.get()?.has(userId));
}

/** How long somebody is shown as typing (docs/rules.md#typing). */
const TYPING = 3_000;
const typing = store<ReadonlySet<string>>(new Set());
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export function stopTyping(conversationId: string): void {
  clearTimeout(timers.get(conversationId));
  timers.delete(conversationId);
  const rest = new Set(typing.get());
  if (rest.delete(conversationId)) typing.set(rest);
}

/** The other one of the conversation types: true until three seconds after the last such frame. */
export function noteTyping(conversationId: string): void {
  clearTimeout(timers.get(conversationId));
  timers.set(
    conversationId,
    setTimeout(() => stopTyping(conversationId), TYPING),
  );
  if (!typing.get().has(conversationId)) typing.set(new Set(typing.get()).add(conversationId));
}

/** Whether the other one of the conversation is typing. */
export function useTyping(conversationId: string): boolean {
  return useSyncExternalStore(typing.subscribe, () => typing.get().has(conversationId));
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
