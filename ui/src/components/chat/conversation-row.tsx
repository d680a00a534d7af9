import { Image } from 'lucide-react';
import type { Conversation } from '@/api/contract';
import { Avatar } from '@/components/ui/avatar';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { otherOf } from '@/lib/chat/people';
import { cn } from '@/lib/cn';
import { usePresence, useTyping } from '@/lib/realtime/live';
import { shortWhen } from './when';
import './conversations.css';

/** Previews are cut at this many characters (docs/rules.md#chat-screens). */
const PREVIEW = 30;

/** The beginning of a message, cut between letters. */
export function cut(text: string): string {
  const letters = Array.from(text.replace(/\s+/g, ' '));
  return letters.length > PREVIEW ? `${letters.slice(0, PREVIEW).join('')}…` : letters.join('');
}

/** The last message: who wrote it and how it begins, or that it is an image; while the other types, that. */
function Preview({ conversation, me }: { conversation: Conversation; me: string }) {
  const t = useTexts(chat);
  const typing = useTyping(conversation._id);
  const them = t('them', { name: otherOf(conversation, me).username });
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
          <Image className="i14" aria-hidden="true" /> {t('image')}
        </>
      ) : (
        cut(conversation.lastMessage)
      )}
    </>
  );
}

/** What a list shows of a conversation, for the inside of a link of class `conv`: picture, online dot, name, time, preview, unread dot. */
export function ConversationFace({ conversation, me, now }: { conversation: Conversation; me: string; now: number }) {
  const t = useTexts(chat);
  const other = otherOf(conversation, me);
  const online = usePresence(other._id) === true;
  return (
    <>
      <span className={cn('conv__who', online && 'avatar__on')}>
        <Avatar name={other.username} picture={other.profilePic} />
      </span>
      <span className="conv__t">
        <span className="conv__line">
          <span className="clip conv__n">{other.username}</span>
          {online ? <span className="sr">{t('online')}</span> : null}
          <time dateTime={conversation.updatedAt}>{shortWhen(conversation.updatedAt, now)}</time>
        </span>
        <span className="conv__line">
          <span className="clip conv__p">
            <Preview conversation={conversation} me={me} />
          </span>
          {conversation.unread ? <span className="dot-new" role="img" aria-label={t('unread')} /> : null}
        </span>
      </span>
    </>
  );
}
