import type { Conversation } from '@/api/contract';
import { translate } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import type { NewMessage } from '@/lib/realtime/frames';
import { serverNow } from '@/lib/server-clock';
import { notify } from '@/lib/toast';
import { isOpenAndVisible } from './read-receipts';

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
