import type { ClientFrame, ServerFrame } from '@/api/contract';

/** What the server sends, by the type of its frame. Frames with a `seq` are the user's event log; others may be lost. */
export type ServerEvents = { [F in ServerFrame as F['type']]: F['data'] };

/** What the client sends, by the type of its frame. */
export type ClientFrames = { [F in ClientFrame as F['type']]: F['data'] };

export type NewMessage = ServerEvents['newMessage'];
export type MessageRead = ServerEvents['messageRead'];
export type Hello = ServerEvents['hello'];
export type Queue = ServerEvents['queueChanged']['queue'];
