import type { ClientFrame, ServerFrame } from '@/api/contract';

/** Frames with a `seq` are in the user's event log; others may be lost. */
export type ServerEvents = { [F in ServerFrame as F['type']]: F['data'] };

export type ClientFrames = { [F in ClientFrame as F['type']]: F['data'] };

export type NewMessage = ServerEvents['newMessage'];
export type MessageRead = ServerEvents['messageRead'];
export type Hello = ServerEvents['hello'];
export type Queue = ServerEvents['queueChanged']['queue'];

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array';

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

const inside = (data: unknown, name: string): unknown => (data as Record<string, unknown>)[name];

/** Checks the properties that the page reads without further checks. */
function hasShape(data: unknown, shape: Record<string, Kind>): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return Object.entries(shape).every(([name, kind]) => kindOf(inside(data, name)) === kind);
}

const DATA: { [T in keyof ServerEvents]: (data: unknown) => boolean } = {
  hello: (data) => hasShape(data, { recovered: 'boolean', seq: 'number' }),
  newMessage: (data) =>
    hasShape(data, { message: 'object', conversation: 'object' }) &&
    hasShape(inside(data, 'message'), { _id: 'string', conversationId: 'string', senderId: 'string', createdAt: 'string' }) &&
    hasShape(inside(data, 'conversation'), { _id: 'string', participants: 'array', updatedAt: 'string' }),
  receiveMessage: () => true,
  messageRead: (data) => hasShape(data, { conversationId: 'string', readerId: 'string', upTo: 'string' }),
  blockChanged: (data) => hasShape(data, { userId: 'string', block: 'string' }),
  newDepositNotification: (data) =>
    hasShape(data, { notification: 'object' }) &&
    hasShape(inside(data, 'notification'), {
      ...{ _id: 'string', kind: 'string', message: 'string' },
      ...{ link: 'string', isRead: 'boolean', createdAt: 'string' },
    }),
  dealUpdated: (data) => hasShape(data, { _id: 'string' }),
  walletUpdated: (data) => hasShape(data, {}),
  operationSettled: (data) => hasShape(data, { _id: 'string', kind: 'string', status: 'string' }),
  getOnlineUsers: (data) => data === null || (Array.isArray(data) && data.every((id) => typeof id === 'string')),
  typing: (data) => hasShape(data, { conversationId: 'string', userId: 'string' }),
  queueChanged: (data) => hasShape(data, { queue: 'string', id: 'string' }),
  dataExportReady: (data) =>
    hasShape(data, { export: 'object' }) && hasShape(inside(data, 'export'), { _id: 'string', status: 'string' }),
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
type ParsedFrame = { seq: number | undefined; frame: ServerFrame | null };

/** Parses a message of the socket; null if it is no frame. */
export function parseFrame(text: unknown): ParsedFrame | null {
  const said = parsed(text);
  if (!hasShape(said, { type: 'string', ts: 'string' })) return null;
  const { type, seq, data } = said as { type: string; seq?: unknown; data: unknown };
  const known = Object.hasOwn(DATA, type) && DATA[type as keyof ServerEvents](data);
  return { seq: typeof seq === 'number' ? seq : undefined, frame: known ? (said as ServerFrame) : null };
}
