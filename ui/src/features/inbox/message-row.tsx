import { useQueryClient } from '@tanstack/react-query';
import { Check, CheckCheck, CircleAlert, Clock, RotateCw, X } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { DirectMessage } from '@/api/contract';
import type { PendingMessage } from '@/entities/chat/outbox';
import { giveUpMessage, retryMessage } from '@/entities/chat/send';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { cn } from '@/lib/cn';
import { formatTime } from '@/lib/time';
import { type BubbleState, bubbleVariants, MESSAGE, MessageSide } from './bubble';
import { DealMessage } from './deal-message';
import { MessageMenu } from './message-menu';
import { MessagePicture } from './message-picture';
import { MessageWarning } from './warnings/message-warning';
import { riskOf } from './warnings/risk';

type BodyProps = Pick<DirectMessage, 'text' | 'image' | 'deal'> & { state: BubbleState; name: string };

const RULE = 'h-px flex-1 bg-border';

const META = 'flex min-h-5 items-center gap-1 text-caption tabular-nums';

function Body({ text, image, deal, state, name }: BodyProps) {
  if (deal) return <DealMessage deal={deal} text={text} state={state} name={name} />;
  return (
    <>
      {image === '' ? null : <MessagePicture url={image} state={state} name={name} />}
      {text === '' ? null : (
        <div data-slot="message-text" className={bubbleVariants({ state })}>
          {text}
        </div>
      )}
    </>
  );
}

type RowProps = {
  message: DirectMessage;
  me: string;
  words: RegExp | null;
  name: string;
  staff: boolean;
  day: string | null;
  starts: boolean;
  ends: boolean;
  /** Its menu is the thread's tab stop. */
  reachable: boolean;
};

/** Memoised, because a thread may have thousands. */
export const MessageRow = memo(function MessageRow({ message, me, words, name, staff, day, starts, ends, reachable }: RowProps) {
  const t = useTexts(chat);
  const mine = message.senderId === me;
  const risk = mine ? null : riskOf(message.text, words);
  const time = formatTime(message.createdAt, 'clock');
  return (
    <div data-row className={MESSAGE} data-starts={starts || undefined}>
      {day === null ? null : (
        <p className="flex items-center gap-3 pb-4 text-caption text-muted-foreground">
          <span className={RULE} />
          <span>{day}</span>
          <span className={RULE} />
        </p>
      )}
      <MessageSide mine={mine}>
        <span className="sr-only">{t('says', { name: mine ? t('you') : name, time })}</span>
        {message.erased ? (
          <p className={bubbleVariants({ state: 'erased' })}>{t('erased')}</p>
        ) : mine ? (
          <Body {...message} state="sent" name={name} />
        ) : (
          <div className="group/message flex max-w-full min-w-0 items-center">
            <div className="grid min-w-0 justify-items-start gap-0.75">
              <Body {...message} state="received" name={name} />
            </div>
            <MessageMenu message={message} name={name} staff={staff} time={time} reachable={reachable} />
          </div>
        )}
        {risk ? <MessageWarning risk={risk} message={message._id} reader={me} /> : null}
        {ends ? (
          <p className={cn(META, 'text-muted-foreground')}>
            <time dateTime={message.createdAt}>{time}</time>
            {mine ? <Ticks read={message.isRead} /> : null}
          </p>
        ) : null}
      </MessageSide>
    </div>
  );
});

function Ticks({ read }: { read: boolean }) {
  const t = useTexts(chat);
  const Icon = read ? CheckCheck : Check;
  return (
    <span data-slot="message-state" className="inline-flex items-center gap-1" data-read={read || undefined}>
      <span aria-hidden="true">·</span>
      <Icon className="size-3.5" aria-hidden="true" />
      {t(read ? 'read' : 'sent')}
    </span>
  );
}

const ACTION = '-my-3 inline-flex min-h-11 items-center gap-1 px-2 underline';

function Meta({ message, online }: { message: PendingMessage; online: boolean }): ReactNode {
  const queryClient = useQueryClient();
  const t = useTexts(chat);
  if (message.status !== 'failed')
    return (
      <p className={cn(META, 'text-muted-foreground')}>
        <Clock className="size-3.5" aria-hidden="true" />
        {t(online ? 'sending' : 'waiting')}
      </p>
    );
  return (
    <p className={cn(META, 'font-semibold text-destructive')}>
      <CircleAlert className="size-3.5" aria-hidden="true" /> {t('notSent')}
      <button type="button" className={ACTION} onClick={() => retryMessage(queryClient, message.key)}>
        <RotateCw className="size-3.5" aria-hidden="true" />
        {t('retrySend')}
      </button>
      <button type="button" className={ACTION} onClick={() => giveUpMessage(message.key)}>
        <X className="size-3.5" aria-hidden="true" />
        {t('removeUnsent')}
      </button>
    </p>
  );
}

export function PendingRow({ message, online }: { message: PendingMessage; online: boolean }) {
  return (
    <div data-row data-starts className={MESSAGE}>
      <MessageSide mine>
        <Body text={message.text} image={message.image} state={message.status === 'failed' ? 'failed' : 'pending'} name="" />
        <Meta message={message} online={online} />
      </MessageSide>
    </div>
  );
}
