import { vi } from 'vitest';
import type { ServerEvents } from '@/lib/realtime/parse';

const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];

/** Replaces WebSocket; the test is the server. */
export class FakeSocket extends EventTarget {
  static all: FakeSocket[] = [];
  readyState = CONNECTING;
  readonly bufferedAmount = 0;
  readonly sent: unknown[] = [];
  binaryType = 'blob';

  constructor(readonly url: string) {
    super();
    FakeSocket.all.push(this);
  }

  get since(): string | null {
    return new URL(this.url).searchParams.get('since');
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = CLOSED;
  }

  /** Sends the greeting. */
  join(hello: ServerEvents['hello'] = { recovered: true, seq: 0 }): void {
    this.readyState = OPEN;
    this.dispatchEvent(new Event('open'));
    this.say('hello', hello);
  }

  say<T extends keyof ServerEvents>(type: T, data: ServerEvents[T], seq?: number): void {
    const frame = { v: 1, id: crypto.randomUUID(), type, ts: '2026-11-20T10:00:00Z', data, ...(seq ? { seq } : {}) };
    this.sayText(JSON.stringify(frame));
  }

  sayText(data: string): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  /** The server closes the connection. */
  end(code: number): void {
    this.readyState = CLOSED;
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason: '', wasClean: true }));
  }

  /** The network fails. */
  fail(): void {
    this.readyState = CLOSED;
    this.dispatchEvent(Object.assign(new Event('error'), { message: 'failed' }));
  }
}

/** Replaces WebSocket until the end of the test. */
export function fakeSockets(): void {
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
}

/** The page's latest connection. */
export function lastSocket(): FakeSocket {
  const socket = FakeSocket.all.at(-1);
  if (!socket) throw new Error('the page has not connected');
  return socket;
}
