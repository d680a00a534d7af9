import type { ClientFrame, ServerFrame } from '@/api/contract';

/** Frames with a `seq` are in the user's event log; others may be lost. */
export type ServerEvents = { [F in ServerFrame as F['type']]: F['data'] };

export type ClientFrames = { [F in ClientFrame as F['type']]: F['data'] };

export type NewMessage = ServerEvents['newMessage'];
export type MessageRead = ServerEvents['messageRead'];
export type Hello = ServerEvents['hello'];
export type Queue = ServerEvents['queueChanged']['queue'];
