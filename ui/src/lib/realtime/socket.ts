import ReconnectingWebSocket from 'partysocket/ws';
import type { ServerFrame } from '@/api/contract';
import { type Hello, parseFrame } from './parse';

const SECOND = 1_000;
/** docs/rules.md#timings */
const MIN_DELAY = SECOND;
const MAX_DELAY = 5 * SECOND;
const CONNECT_TIMEOUT = 20 * SECOND;
/** Proxies and phones drop idle connections silently, so each ping expects an answer in time. */
const PING_EVERY = 25 * SECOND;
const PONG_TIMEOUT = 10 * SECOND;
/** Less patience when the user returns to the page: the connection may have died meanwhile. */
const PONG_TIMEOUT_AFTER_WAKE = 3 * SECOND;
/** A refused session looks like a lost network, so repeated failures check the session. */
const FAILURES_BEFORE_CHECK = 3;

const RESTARTING = 1012;
const SESSION_OVER = 4001;
const REPLACED = 4003;

const PING = JSON.stringify({ type: 'ping', data: {} });

type Handlers = {
  frame: (frame: ServerFrame) => void;
  /** Connected; missed events follow. */
  open: () => void;
  /** Disconnected, or connecting failed. */
  lost: () => void;
  /** Events were missed that the server cannot resend. */
  gap: () => void;
  /** The session has ended. Nothing reconnects before `resume`. */
  ended: () => void;
  failing: () => void;
};

const between = (least: number, most: number): number => least + Math.random() * (most - least);

/** The user's socket. Reconnects by itself and resumes from the last event. */
export class LiveSocket {
  private socket: ReconnectingWebSocket | null = null;
  /** The server has sent `hello`. */
  private joined = false;
  /** Closed on purpose until this happens. */
  private parked: 'resumed' | 'visible' | null = null;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `position` is the head of the event log when the page was loaded. */
  constructor(
    private position: number,
    private readonly on: Handlers,
  ) {
    window.addEventListener('online', this.reconnectNow);
    window.addEventListener('focus', this.checkAfterWake);
    document.addEventListener('visibilitychange', this.checkAfterWake);
    this.connect();
  }

  /** Returns false if there is no open connection. */
  send(frame: string): boolean {
    return this.joined && this.socket?.readyState === ReconnectingWebSocket.OPEN && this.socket.send(frame);
  }

  /** Stays disconnected until `resume`. */
  pause(): void {
    this.park('resumed');
  }

  resume(): void {
    if (this.parked === 'resumed') this.connect();
  }

  stop(): void {
    window.removeEventListener('online', this.reconnectNow);
    window.removeEventListener('focus', this.checkAfterWake);
    document.removeEventListener('visibilitychange', this.checkAfterWake);
    this.close();
  }

  private wait(milliseconds: number, then: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(then, milliseconds);
  }

  /** Connects now, on a new socket, because a waiting one cannot skip its delay. */
  private readonly connect = (): void => {
    this.close();
    this.parked = null;
    const socket = new ReconnectingWebSocket(this.address, undefined, {
      // Spreads the clients that one failure disconnected.
      minReconnectionDelay: between(MIN_DELAY, 2 * MIN_DELAY),
      maxReconnectionDelay: MAX_DELAY,
      connectionTimeout: CONNECT_TIMEOUT,
      maxEnqueuedMessages: 0,
    });
    this.socket = socket;
    const isCurrent = () => this.socket === socket;
    socket.onopen = () => {
      if (isCurrent()) this.wait(PONG_TIMEOUT, this.connect);
    };
    socket.onmessage = ({ data }: MessageEvent) => {
      if (isCurrent()) this.receive(data);
    };
    socket.onclose = ({ code }) => {
      if (isCurrent()) this.closed(code);
    };
  };

  private readonly address = (): string => {
    const url = new URL('/api/ws', window.location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    url.searchParams.set('since', String(this.position));
    return url.href;
  };

  private close(): void {
    clearTimeout(this.timer);
    const { socket, joined } = this;
    this.socket = null;
    this.joined = false;
    socket?.close();
    if (joined) this.on.lost();
  }

  private park(until: typeof this.parked): void {
    this.close();
    this.parked = until;
  }

  private closed(code: number): void {
    clearTimeout(this.timer);
    if (code === SESSION_OVER) {
      this.pause();
      this.on.ended();
    } else if (code === REPLACED) this.park('visible');
    else if (code === RESTARTING) {
      this.close();
      this.wait(between(MIN_DELAY, MAX_DELAY), this.connect);
    } else {
      this.failures = this.joined ? 0 : this.failures + 1;
      this.joined = false;
      this.on.lost();
      if (this.failures > 0 && this.failures % FAILURES_BEFORE_CHECK === 0) this.on.failing();
    }
  }

  private ping(patience: number): void {
    if (this.send(PING)) this.wait(patience, this.connect);
  }

  private receive(text: unknown): void {
    this.wait(PING_EVERY, () => this.ping(PONG_TIMEOUT));
    const received = parseFrame(text);
    if (!received || !this.isNew(received.seq) || !received.frame) return;
    if (received.frame.type === 'hello') this.join(received.frame.data);
    else this.on.frame(received.frame);
  }

  private join({ recovered, seq }: Hello): void {
    this.joined = true;
    this.failures = 0;
    if (!recovered) {
      this.position = seq;
      this.on.gap();
    }
    this.on.open();
  }

  /** Advances the position, unless the frame was received before. Frames without one are new. */
  private isNew(seq: number | undefined): boolean {
    if (seq === undefined) return true;
    if (seq <= this.position) return false;
    const missed = seq > this.position + 1;
    this.position = seq;
    if (missed) this.on.gap();
    return true;
  }

  private readonly checkAfterWake = (): void => {
    if (this.parked === 'resumed' || document.visibilityState === 'hidden') return;
    if (this.joined) this.ping(PONG_TIMEOUT_AFTER_WAKE);
    else if (!this.socket || this.socket.readyState === ReconnectingWebSocket.CLOSED) this.connect();
  };

  /** The network is back, and an attempt under way still uses the old one. */
  private readonly reconnectNow = (): void => {
    if (this.parked !== null) return;
    if (this.joined) this.ping(PONG_TIMEOUT_AFTER_WAKE);
    else this.connect();
  };
}
