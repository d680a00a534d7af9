import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  ArrowLeftRight,
  Check,
  CheckCheck,
  CircleAlert,
  Clock,
  Ellipsis,
  PackageCheck,
  RotateCcw,
  RotateCw,
  TriangleAlert,
  X,
} from 'lucide-react';
import { type KeyboardEvent, memo, type ReactNode, useState } from 'react';
import type { DirectMessage } from '@/api/contract';
import { LazyMenu } from '@/components/lazy-menu';
import { Button } from '@/components/ui/button';
import type { PendingMessage } from '@/entities/chat/outbox';
import { giveUpMessage, retryMessage } from '@/entities/chat/send';
import { DealPictures } from '@/entities/deal/deal-pictures';
import { useDealTitle } from '@/entities/deal/use-deal-line';
import { useTexts } from '@/i18n';
import { chat, chatSafety } from '@/i18n/en/chat';
import { dealWords } from '@/i18n/en/deal-line';
import { moderation } from '@/i18n/en/moderation';
import { cn } from '@/lib/cn';
import { DISMISSED } from '@/lib/storage-owner';
import { formatTime } from '@/lib/time';
import { type BubbleState, bubbleVariants, MESSAGE, MessagePicture, MessageSide, useThreadPictures } from './bubble';
import { type Risk, riskOf } from './risk';

const ICONS = { delivered: PackageCheck, changes: RotateCcw, counteroffer: ArrowLeftRight };

type DealMessageProps = { deal: NonNullable<DirectMessage['deal']>; text: string; state: BubbleState; name: string };

function DealMessage({ deal, text, state, name }: DealMessageProps) {
  const t = useTexts(dealWords);
  const titleOf = useDealTitle();
  const all = useThreadPictures(name);
  const Icon = ICONS[deal.act];
  return (
    <div data-slot="deal-message" className={cn(bubbleVariants({ state }), 'grid gap-1.5')}>
      <Link
        to="/deal/$dealId"
        params={{ dealId: deal._id }}
        className="-my-1.5 flex min-h-11 items-center gap-2 py-1.5 text-sm/snug font-semibold whitespace-normal decoration-current hover:text-inherit"
      >
        <Icon className="size-4.5 flex-none" aria-hidden="true" />
        <span className="min-w-0">{t(`said.${deal.act}`, { title: titleOf({ description: deal.title }) })}</span>
      </Link>
      {text === '' ? null : <div data-slot="message-text">{text}</div>}
      {deal.pictures.length > 0 ? (
        <DealPictures
          pictures={deal.pictures}
          from={state === 'received' ? name : null}
          all={all}
          className="max-w-54 gap-1.5 pb-1 *:size-17 xs:max-w-75 xs:*:size-24"
        />
      ) : null}
    </div>
  );
}

const load = () => import('./message-menu-content');

type MenuProps = { message: DirectMessage; name: string; staff: boolean; time: string; reachable: boolean };

/** Arrow keys move between the menus of messages. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: menu, key } = event;
  if (menu.ariaExpanded === 'true' || (key !== 'ArrowUp' && key !== 'ArrowLeft' && key !== 'ArrowRight')) return;
  const menus = [...(menu.closest('[role=log]')?.querySelectorAll<HTMLElement>('[data-slot="message-menu"]') ?? [])];
  event.preventDefault();
  menus[menus.indexOf(menu) + (key === 'ArrowRight' ? 1 : -1)]?.focus();
}

/** Visible on hover and focus, on a phone always. Only one per thread is a tab stop. */
function MessageMenu({ message, name, staff, time, reachable }: MenuProps) {
  const t = useTexts(moderation);
  return (
    <LazyMenu
      load={load}
      ahead={false}
      menu={{ message, name, staff }}
      data-slot="message-menu"
      tabIndex={reachable ? 0 : -1}
      onKeyDown={walk}
      className="-my-2 -mr-11 grid size-11 flex-none place-items-center text-subtle-foreground opacity-0 group-hover/message:opacity-100 hover:text-foreground focus-visible:opacity-100 aria-expanded:opacity-100 [@media(hover:none)]:opacity-100"
      aria-label={t('message.more', { name, time })}
    >
      <Ellipsis className="size-4.5" aria-hidden="true" />
    </LazyMenu>
  );
}

const MAX_DISMISSED = 500;

type Dismissed = { owner: string; messages: string[] };

function read(owner: string): string[] {
  try {
    const stored = JSON.parse(localStorage.getItem(DISMISSED) ?? 'null') as Partial<Dismissed> | null;
    return stored?.owner === owner && Array.isArray(stored.messages) ? stored.messages : [];
  } catch {
    return [];
  }
}

/** Reports whether this user has hidden the message's warning in this browser. */
function isDismissed(owner: string, message: string): boolean {
  return read(owner).includes(message);
}

function dismiss(owner: string, message: string): void {
  const messages = [...read(owner).filter((one) => one !== message), message].slice(-MAX_DISMISSED);
  try {
    localStorage.setItem(DISMISSED, JSON.stringify({ owner, messages } satisfies Dismissed));
  } catch {
    // Without storage it stays hidden until the page is left.
  }
}

function MessageWarning({ risk, message, reader }: { risk: Risk; message: string; reader: string }) {
  const t = useTexts(chatSafety);
  const [hidden, setHidden] = useState(() => isDismissed(reader, message));
  if (hidden) return null;
  return (
    <div
      role="note"
      data-slot="message-warning"
      className="flex items-start gap-2 border-l-2 border-status-pending bg-status-pending-tint pl-3 text-sm/snug"
    >
      <TriangleAlert className="mt-3 size-4 flex-none text-status-pending" aria-hidden="true" />
      <p className="min-w-0 flex-1 py-2.5">
        <b className="font-semibold">{t(`risk.${risk}`)}</b> {t('advice')}
      </p>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('dismiss')}
        onClick={() => {
          dismiss(reader, message);
          setHidden(true);
        }}
      >
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}

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
