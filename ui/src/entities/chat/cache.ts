import type { QueryClient } from '@tanstack/react-query';
import type { Conversation } from '@/api/contract';
import { writeThrough } from '@/lib/write-through';
import { chatKeys } from './keys';
import { type Change, changedConversation, changedInbox, changedThread, type Inbox, type Thread } from './reducers';

/** Writes a change into all loaded data of a conversation, and into responses in flight. */
export function writeChange(client: QueryClient, conversationId: string, change: Change, me: string): void {
  writeThrough<Inbox>(client, chatKeys.list, (inbox) => changedInbox(inbox, change, me));
  writeThrough<Thread>(client, chatKeys.messages(conversationId), (thread) => changedThread(thread, conversationId, change));
  writeThrough<Conversation>(client, chatKeys.one(conversationId), (one) => changedConversation(one, change, me));
}
