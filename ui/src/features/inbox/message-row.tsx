import { Check, CheckCheck, CircleAlert, Clock, RotateCw, X } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { DirectMessage } from '@/api/contract';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import type { PendingMessage } from '@/lib/chat/outbox';
import { giveUpMessage, retryMessage } from '@/lib/chat/send';
import { cn } from '@/lib/cn';
import { formatTime } from '@/lib/time';
import { Picture } from './picture';

type BodyProps = { text: string; image: string; mine: boolean; name: string };

/** Picture, then words. */
function Body({ text, image, mine, name }: BodyProps) {
  return (
    <>
      {image === '' ? null : <Picture url={image} mine={mine} name={name} />}
      {text === '' ? null : (
        <div data-slot="message-text" className="bubble">
          {text}
        </div>
      )}
    </>
  );
}

type RowProps = {
  message: DirectMessage;
  mine: boolean;
  /** The other person's name. */
  name: string;
  /** The day, over its first message. */
  day: string | null;
  starts: boolean;
  ends: boolean;
};

/** A message. Memoised: a thread may have thousands, and one more must not draw them all again. */
export const MessageRow = memo(function MessageRow({ message, mine, name, day, starts, ends }: RowProps) {
  const t = useTexts(chat);
  const time = formatTime(message.createdAt, 'clock');
  return (
    <div data-row className={cn('msg', mine && 'msg--me')} data-starts={starts || undefined}>
      {day === null ? null : (
        <p className="day">
          <span>{day}</span>
        </p>
      )}
      <div className="msg__in">
        <span className="sr">{t('says', { name: mine ? t('you') : name, time })}</span>
        <Body text={message.text} image={message.image} mine={mine} name={name} />
        {ends ? (
          <p className="msg__meta">
            <time dateTime={message.createdAt}>{time}</time>
            {mine ? <Ticks read={message.isRead} /> : null}
          </p>
        ) : null}
      </div>
    </div>
  );
});

function Ticks({ read }: { read: boolean }) {
  const t = useTexts(chat);
  const Icon = read ? CheckCheck : Check;
  return (
    <span data-slot="message-state" className="msg__ticks" data-read={read || undefined}>
      <span aria-hidden="true">·</span>
      <Icon className="i14" aria-hidden="true" />
      {t(read ? 'read' : 'sent')}
    </span>
  );
}

function Meta({ message, online }: { message: PendingMessage; online: boolean }): ReactNode {
  const t = useTexts(chat);
  if (message.status !== 'failed')
    return (
      <p className="msg__meta">
        <Clock className="i14" aria-hidden="true" />
        {t(online ? 'sending' : 'waiting')}
      </p>
    );
  return (
    <p className="msg__meta">
      <CircleAlert className="i14" aria-hidden="true" /> {t('notSent')}
      <button type="button" className="retry" onClick={() => retryMessage(message.key)}>
        <RotateCw className="i14" aria-hidden="true" />
        {t('retrySend')}
      </button>
      <button type="button" className="retry" onClick={() => giveUpMessage(message.key)}>
        <X className="i14" aria-hidden="true" />
        {t('removeUnsent')}
      </button>
    </p>
  );
}

/** A message of one's own that is on its way, or was not sent. */
export function PendingRow({ message, online }: { message: PendingMessage; online: boolean }) {
  return (
    <div data-row data-starts className={cn('msg msg--me', message.status === 'failed' ? 'msg--failed' : 'msg--pending')}>
      <div className="msg__in">
        <Body text={message.text} image={message.image} mine name="" />
        <Meta message={message} online={online} />
      </div>
    </div>
  );
}
