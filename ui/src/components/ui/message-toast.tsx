import { Link } from '@tanstack/react-router';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import type { NewMessageNotice } from '@/lib/toast';
import { Avatar } from './avatar';

/** The pop-up of a new message: who, with picture, and what. Clicking it opens the conversation. */
export function MessageToast({ conversationId, name, picture, text, onOpen }: NewMessageNotice & { onOpen: () => void }) {
  const t = useTexts(chat);
  return (
    <Link
      to="/inbox/$conversationId"
      params={{ conversationId }}
      data-slot="message-toast"
      className="toast toast--msg"
      onClick={onOpen}
    >
      <Avatar name={name} picture={picture} size="s" />
      <span className="fill">
        <b className="b">{t('newFrom', { name })}</b>
        <span className="toast__text">{text}</span>
      </span>
    </Link>
  );
}
