import type { Conversation, DirectMessage, Notification, Operation, Party } from '@/api/contract';

/** First on every connection. `seq` is the head of the user's event log; `recovered` false: what was missed is not replayed. */
export type Hello = { recovered: boolean; seq: number };
/** To every screen of both people of a conversation. */
export type NewMessage = { message: DirectMessage; conversation: Conversation };
/** To the receiver: what the pop-up shows. */
export type ReceiveMessage = { senderId: string; sender: Party; conversationId: string; text: string; isImage: boolean };
/** To both people, when one of them has read what there is; `upTo` is the last message that was read. */
export type MessageRead = { conversationId: string; readerId: string; upTo: string };
export type Typing = { conversationId: string; userId: string };
export type Queue = 'deposits' | 'withdrawals' | 'support' | 'bug-reports' | 'contact-messages' | 'deals' | 'users';
export type QueueChanged = { queue: Queue; id: string };

/** What the server sends, by the type of its frame. */
export type ServerEvents = {
  hello: Hello;
  newMessage: NewMessage;
  receiveMessage: ReceiveMessage;
  messageRead: MessageRead;
  newDepositNotification: { notification: Notification };
  dealUpdated: { _id: string; status: string };
  walletUpdated: object;
  operationSettled: Operation;
  /** The people one has a conversation with who are online; null when that is not known. */
  getOnlineUsers: string[] | null;
  typing: Typing;
  queueChanged: QueueChanged;
  pong: unknown;
  /** A frame of ours that was refused. */
  problem: { code: string; message: string };
};

/** A frame of the server. `seq` is its place in the user's event log; frames without one may be lost. */
export type ServerFrame = {
  [T in keyof ServerEvents]: { type: T; id: string; seq?: number; ts: string; data: ServerEvents[T] };
}[keyof ServerEvents];

/** What the client sends. */
export type ClientFrames = {
  markAsRead: { conversationId: string };
  typing: { conversationId: string };
  ping: Record<string, never>;
};
