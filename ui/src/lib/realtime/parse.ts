import type { ServerFrame } from '@/api/contract';
import type { ServerEvents } from './frames';

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array';

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

const inside = (data: unknown, name: string): unknown => (data as Record<string, unknown>)[name];

/** Checks the properties that the page reads without further checks. */
function has(data: unknown, shape: Record<string, Kind>): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return Object.entries(shape).every(([name, kind]) => kindOf(inside(data, name)) === kind);
}

const DATA: { [T in keyof ServerEvents]: (data: unknown) => boolean } = {
  hello: (data) => has(data, { recovered: 'boolean', seq: 'number' }),
  newMessage: (data) =>
    has(data, { message: 'object', conversation: 'object' }) &&
    has(inside(data, 'message'), { _id: 'string', conversationId: 'string', senderId: 'string', createdAt: 'string' }) &&
    has(inside(data, 'conversation'), { _id: 'string', participants: 'array', updatedAt: 'string' }),
  receiveMessage: () => true,
  messageRead: (data) => has(data, { conversationId: 'string', readerId: 'string', upTo: 'string' }),
  blockChanged: (data) => has(data, { userId: 'string', block: 'string' }),
  newDepositNotification: (data) =>
    has(data, { notification: 'object' }) &&
    has(inside(data, 'notification'), {
      ...{ _id: 'string', kind: 'string', message: 'string' },
      ...{ link: 'string', isRead: 'boolean', createdAt: 'string' },
    }),
  dealUpdated: (data) => has(data, { _id: 'string' }),
  walletUpdated: (data) => has(data, {}),
  operationSettled: (data) => has(data, { _id: 'string', kind: 'string', status: 'string' }),
  getOnlineUsers: (data) => data === null || (Array.isArray(data) && data.every((id) => typeof id === 'string')),
  typing: (data) => has(data, { conversationId: 'string', userId: 'string' }),
  queueChanged: (data) => has(data, { queue: 'string', id: 'string' }),
  dataExportReady: (data) => has(data, { export: 'object' }) && has(inside(data, 'export'), { _id: 'string', status: 'string' }),
  pong: () => true,
  problem: () => true,
};

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** A frame and its place in the log. The frame is null if this version does not know it. */
type Heard = { seq: number | undefined; frame: ServerFrame | null };

/** Parses a message of the socket; null if it is no frame. */
export function parseFrame(text: unknown): Heard | null {
  const said = parsed(text);
  if (!has(said, { type: 'string', ts: 'string' })) return null;
  const { type, seq, data } = said as { type: string; seq?: unknown; data: unknown };
  const known = Object.hasOwn(DATA, type) && DATA[type as keyof ServerEvents](data);
  return { seq: typeof seq === 'number' ? seq : undefined, frame: known ? (said as ServerFrame) : null };
}
