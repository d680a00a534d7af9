import type { QueryClient } from '@tanstack/react-query';
import type { Conversation } from '@/api/contract';
import { chatKeys } from './keys';
import { noteChange } from './meanwhile';
import { type Change, changedConversation, changedInbox, changedThread, type Inbox, type Thread } from './pages';

/** Writes a change into everything that is loaded of a conversation, or being loaded. */
export function writeChange(client: QueryClient, conversationId: string, change: Change, me: string): void {
  noteChange(change);
  client.setQueryData<Inbox>(chatKeys.list, (inbox) => inbox && changedInbox(inbox, change, me));
  client.setQueryData<Thread>(
    chatKeys.messages(conversationId),
    (thread) => thread && changedThread(thread, conversationId, change),
  );
  client.setQueryData<Conversation>(chatKeys.one(conversationId), (one) => one && changedConversation(one, change, me));
}
