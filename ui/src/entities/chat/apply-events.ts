import type { QueryClient } from '@tanstack/react-query';
import type { Conversation } from '@/api/contract';
import { translate } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { stopTyping } from '@/lib/realtime/live';
import type { MessageRead, NewMessage } from '@/lib/realtime/parse';
import { serverNow } from '@/lib/server-clock';
import { notify } from '@/lib/toast';
import { chatKeys, writeChange } from './cache';
import { isOpenAndVisible, markRead } from './read-receipts';
import { confirmArrived } from './send';

/** Older messages are replays after a lost connection; the unread marks show them. */
const MAX_AGE = 60_000;

function lastWords({ lastMessage, lastMessageIsImage, lastMessageIsDelivery }: Conversation): string {
  if (lastMessageIsImage) return translate(chat, 'image');
  return lastMessageIsDelivery ? translate(chat, 'delivered') : lastMessage;
}

/** Shows a toast for another's message, unless its conversation is visible. */
export function announceMessage({ message, conversation }: NewMessage, sentAt: string, meId: string): void {
  const sender = conversation.participants.find(({ _id }) => _id === message.senderId);
  if (!sender || message.senderId === meId || isOpenAndVisible(message.conversationId)) return;
  if (serverNow() - Date.parse(sentAt) > MAX_AGE) return;
  notify.message({
    conversationId: message.conversationId,
    name: sender.username,
    picture: sender.profilePic,
    text: lastWords(conversation),
  });
}

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
