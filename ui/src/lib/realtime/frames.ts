import type { ClientFrame, ServerFrame } from '@/api/contract';

/**
 * Data of the server's frames by type. Frames with a `seq` are in the user's event log; others may
 * be lost.
 */
export type ServerEvents = { [F in ServerFrame as F['type']]: F['data'] };

/** Data of the client's frames by type. */
export type ClientFrames = { [F in ClientFrame as F['type']]: F['data'] };

export type NewMessage = ServerEvents['newMessage'];
export type MessageRead = ServerEvents['messageRead'];
export type Hello = ServerEvents['hello'];
export type Queue = ServerEvents['queueChanged']['queue'];
