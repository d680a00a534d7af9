import { Image } from 'lucide-react';
import type { Conversation, Party } from '@/api/contract';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { cn } from '@/lib/cn';
import { beginningOf } from '@/lib/letters';
import { usePresence, useTyping } from '@/lib/realtime/live';
import { otherParticipant } from './cache';
import { shortDate } from './message-rows';

/** An avatar with a dot while the person is online. Decorative. */
export function PresenceAvatar({ person, online }: { person: Party; online: boolean }) {
  return (
    <span
      className={cn(
        'relative inline-flex flex-none',
        online &&
          'after:absolute after:-right-px after:-bottom-px after:size-2.75 after:rounded-full after:bg-[oklch(0.62_0.16_155)] after:shadow-[0_0_0_2px_var(--background)]',
      )}
    >
      <UserAvatar name={person.username} picture={person.profilePic} />
    </span>
  );
}

export const CONVERSATION_ROW = 'relative flex h-17.5 items-center gap-3 border-b text-inherit no-underline';

/** docs/rules.md#chat-screens */
const PREVIEW_LENGTH = 30;

export function previewOf(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const beginning = beginningOf(line, PREVIEW_LENGTH);
  return beginning === line ? line : `${beginning}…`;
}

function Preview({ conversation, me }: { conversation: Conversation; me: string }) {
  const t = useTexts(chat);
  const typing = useTyping(conversation._id);
  const them = t('them', { name: otherParticipant(conversation, me).username });
  if (typing)
    return (
      <>
        {them} {t('typing.row')}
      </>
    );
  if (conversation.lastSenderId === null) return null;
  return (
    <>
      {conversation.lastSenderId === me ? t('me') : them}{' '}
      {conversation.lastMessageIsImage ? (
        <>
          <Image className="size-3.5 align-[-2px]" aria-hidden="true" /> {t('image')}
        </>
      ) : (
        previewOf(conversation.lastMessageIsDelivery ? t('delivered') : conversation.lastMessage) || t('erased')
      )}
    </>
  );
}

const LINE = 'flex min-w-0 items-center justify-between gap-2';

export function ConversationSummary({ conversation, me, now }: { conversation: Conversation; me: string; now: number }) {
  const t = useTexts(chat);
  const other = otherParticipant(conversation, me);
  const online = usePresence(other._id) === true;
  const { unread } = conversation;
  return (
    <>
      <PresenceAvatar person={other} online={online} />
      <span className="grid min-w-0 flex-1 gap-px leading-[1.35]">
        <span className={LINE}>
          <UserName user={other} truncate className={cn('mr-auto', unread ? 'font-bold' : 'font-medium')} />
          {online ? <span className="sr-only">{t('online')}</span> : null}
          <time
            dateTime={conversation.updatedAt}
            className="text-caption leading-[1.35] whitespace-nowrap text-muted-foreground tabular-nums"
          >
            {shortDate(conversation.updatedAt, now)}
          </time>
        </span>
        <span className={LINE}>
          <span className={cn('min-w-0 truncate text-sm/[1.35]', unread ? 'font-bold' : 'text-muted-foreground')}>
            <Preview conversation={conversation} me={me} />
          </span>
          {unread ? <span className="size-2.25 flex-none rounded-full bg-pen" role="img" aria-label={t('unread')} /> : null}
        </span>
      </span>
    </>
  );
}
