import type { QueryClient } from '@tanstack/react-query';
import type { MessageRead, NewMessage } from '@/lib/realtime/frames';
import { stopTyping } from '@/lib/realtime/live';
import { writeChange } from './cache';
import { chatKeys } from './keys';
import { isOpenAndVisible, markRead } from './read-receipts';
import { confirmArrived } from './send';

/**
 * Adds a message of either participant, and moves its conversation to the top. It is read at once
 * if the conversation is open and visible, else unread.
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
    // A response in flight is older, and nothing polls while the socket is open.
    void client.cancelQueries({ queryKey: chatKeys.unread });
    client.setQueryData<boolean>(chatKeys.unread, true);
  }
}

/** Applies a read receipt: the partner's ticks, or one's own reading on another device. */
export function applyMessageRead(client: QueryClient, data: MessageRead, meId: string): void {
  writeChange(client, data.conversationId, { read: data }, meId);
  if (data.readerId === meId) void client.invalidateQueries({ queryKey: chatKeys.unread });
}
