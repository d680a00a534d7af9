import { translate } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import type { ReceiveMessage } from '@/lib/realtime/frames';
import { serverNow } from '@/lib/time';
import { notify } from '@/lib/toast';
import { isLookedAt } from './read';

/** Older news is no news: it was replayed after a lost connection, and the unread marks tell of it. */
const FRESH = 60_000;

/**
 * Tells of a new message, unless its conversation is looked at: the pop-up and the toast are one, with picture,
 * name and text, four seconds at the top right; clicking it opens the conversation. `sentAt` is the time of the frame.
 */
export function announceMessage(data: ReceiveMessage, sentAt: string): void {
  if (isLookedAt(data.conversationId) || serverNow() - Date.parse(sentAt) > FRESH) return;
  const { username, profilePic } = data.sender;
  const text = data.isImage ? translate(chat, 'image') : data.text;
  notify.message({ conversationId: data.conversationId, name: username, picture: profilePic, text });
}
