import { Link } from '@tanstack/react-router';
import { UserAvatar } from '@/entities/user/user-avatar';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import type { NewMessageNotice } from '@/lib/toast';

export function MessageToast({ conversationId, name, picture, text, onOpen }: NewMessageNotice & { onOpen: () => void }) {
  const t = useTexts(chat);
  return (
    <Link
      to="/inbox/$conversationId"
      params={{ conversationId }}
      data-slot="message-toast"
      className="flex w-[min(356px,calc(100vw-32px))] items-start gap-3 rounded-md border border-border-strong bg-background px-4 py-3.5 font-sans text-md/[1.4] text-foreground no-underline shadow-overlay hover:bg-muted"
      onClick={onOpen}
    >
      <UserAvatar name={name} picture={picture} size="sm" />
      <span className="min-w-0 flex-1">
        <b className="block font-semibold wrap-anywhere">{t('newFrom', { name })}</b>
        <span className="line-clamp-3 wrap-anywhere">{text}</span>
      </span>
    </Link>
  );
}
