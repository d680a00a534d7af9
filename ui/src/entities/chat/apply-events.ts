import type { QueryClient } from '@tanstack/react-query';
import type { MessageRead, NewMessage } from '@/lib/realtime/frames';
import { stopTyping } from '@/lib/realtime/live';
import { writeChange } from './cache';
import { chatKeys } from './keys';
import { isOpenAndVisible, markRead } from './read-receipts';
import { confirmArrived } from './send';

/**
 * A message was written, by either of the two: it is added to its conversation, which comes first in the inbox. One that is looked at is read
 * at once; any other is unread from now on.
 */
export function applyNewMessage(client: QueryClient, { message, conversation }: NewMessage, meId: string): void {
  const { conversationId } = message;
  const mine = message.senderId === meId;
  if (mine) confirmArrived(message);
  else stopTyping(conversationId);
  const seen = !mine && isOpenAndVisible(conversationId);
  const shown = seen ? { ...conversation, unread: false } : conversation;
  writeChange(client, conversationId, { written: { message, conversation: shown } }, meId);
  if (seen) markRead(client, conversationId);
  else if (shown.unread) {
    // What is still on its way was asked before, and while the socket is open nobody asks again.
    void client.cancelQueries({ queryKey: chatKeys.unread });
    client.setQueryData<boolean>(chatKeys.unread, true);
  }
}

/** One of the two has read a conversation: the other's ticks, or one's own unread mark when it was on another screen of one's own. */
export function applyMessageRead(client: QueryClient, data: MessageRead, meId: string): void {
  writeChange(client, data.conversationId, { read: data }, meId);
  if (data.readerId === meId) void client.invalidateQueries({ queryKey: chatKeys.unread });
}
