import { useCreateStore, useSelector } from '@tanstack/react-store';
import { ArrowDown } from 'lucide-react';
import { memo, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { DirectMessage, Party } from '@/api/contract';
import { Button, buttonVariants } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { dayHeading, logRows } from '@/entities/chat/message-rows';
import type { PendingMessage } from '@/entities/chat/outbox';
import { useLanguage, useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { useTyping } from '@/lib/realtime/live';
import { useNow } from '@/lib/server-clock';
import { bubbleVariants, COLUMN, MESSAGE, MessageSide, PicturesOf } from './bubble';
import { MessageRow, PendingRow } from './message-row';
import { useWarningWords } from './queries';

/** New messages are followed within this distance of the end (docs/rules.md#chat-screens). */
const END_MARGIN = 50;
/** Older messages are requested within this distance of the top. */
const LOAD_MARGIN = 600;

type ScrollFollow = {
  /** The ref of the scroller; its single child contains the rows. */
  setBox: (box: HTMLDivElement | null) => void;
  atEnd: boolean;
  seen: string | undefined;
  toEnd: () => void;
  onScroll: () => void;
};

function toBottom(box: HTMLElement): void {
  box.scrollTop = box.scrollHeight;
}

function topOf(element: HTMLElement, box: HTMLElement): number {
  return element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
}

function moveAlong(box: HTMLElement, { element, top }: Anchor): void {
  if (element.isConnected) box.scrollTop += topOf(element, box) - top;
}

type Anchor = { element: HTMLElement; top: number };
type Ends = { first: string | undefined; last: string | undefined; newest: string | undefined };

/**
 * Scrolling of a list that grows at both ends. It opens at its end and stays there while it grows,
 * if the view was within 50 px of it; rows added at the top move nothing. Rows have the attribute
 * data-row. `onTop` is called near the top.
 */
export function useScrollFollow({ first, last, newest }: Ends, onTop: () => void): ScrollFollow {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const anchor = useRef<Anchor | null>(null);
  // The last known sizes: what counts is the view before the list grew, and scroll events come a
  // frame late.
  const known = useRef({ height: 0, room: 0 });
  const place = useCreateStore({ atEnd: true, seen: newest });
  const atEnd = useSelector(place, (is) => is.atEnd);
  const seen = useSelector(place, (is) => is.seen);
  const wasNear = (it: HTMLElement) => known.current.height - it.scrollTop - known.current.room <= END_MARGIN;
  const measure = (it: HTMLElement) => {
    known.current = { height: it.scrollHeight, room: it.clientHeight };
  };
  const note = (near: boolean) => place.setState((was) => ({ atEnd: near, seen: near ? newest : was.seen }));
  const look = (it: HTMLElement) => {
    measure(it);
    note(wasNear(it));
  };
  const settle = (it: HTMLElement) => {
    const near = wasNear(it);
    if (near) toBottom(it);
    else if (anchor.current) moveAlong(it, anchor.current);
    measure(it);
    // A message that comes between a scroll and its event has not been seen.
    note(near);
    // The bubble, because the row's day heading moves to an older message.
    const element = it.querySelector<HTMLElement>('[data-row] > :last-child');
    anchor.current = element && { element, top: topOf(element, it) };
    if (it.scrollTop < LOAD_MARGIN) onTop();
  };
  const grown = useEffectEvent(settle);
  const resized = (it: HTMLElement) => it.scrollHeight !== known.current.height || it.clientHeight !== known.current.room;

  useLayoutEffect(() => {
    if (box) grown(box);
  }, [box, first, last]);

  useEffect(() => {
    if (!box) return;
    // The on-screen keyboard, a longer composer, or the typing sign changed the size.
    const observer = new ResizeObserver(() => grown(box));
    observer.observe(box);
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    return () => observer.disconnect();
  }, [box]);

  return {
    setBox,
    atEnd,
    seen,
    toEnd: () => {
      if (!box) return;
      toBottom(box);
      look(box);
    },
    onScroll: () => {
      if (!box) return;
      // A scroll event precedes the resize in the same frame, and would hide the former position.
      if (resized(box)) settle(box);
      look(box);
      if (box.scrollTop < LOAD_MARGIN) onTop();
    },
  };
}

type Older = { more: boolean; loading: boolean; failed: boolean; load: () => void };

type Props = {
  conversationId: string;
  messages: readonly DirectMessage[];
  pending: readonly PendingMessage[];
  online: boolean;
  me: string;
  other: Party;
  answered: boolean;
  older: Older;
  follow: ScrollFollow;
};

const TOP = 'flex min-h-16 items-center justify-center text-center text-sm text-muted-foreground';

/** The line above the oldest message, of constant height so that nothing moves. */
function Top({ other, answered, older, empty }: Pick<Props, 'other' | 'answered' | 'older'> & { empty: boolean }) {
  const t = useTexts(chat);
  const tCommon = useTexts(common);
  if (!older.more)
    return (
      <div className={cn(TOP, 'flex-col py-4')}>
        <p>{t('begin', { name: other.username })}</p>
        {/* Until then, a longer warning is above the messages. */}
        {answered ? <p>{t('safety')}</p> : null}
      </div>
    );
  if (empty) return null;
  return (
    <div className={cn(TOP, 'gap-2')}>
      {older.failed ? (
        <>
          <span>{t('failed.older')}</span>
          <Button variant="ghost" onClick={older.load}>
            {tCommon('retry')}
          </Button>
        </>
      ) : older.loading ? (
        <Spinner label={t('older')} />
      ) : null}
    </div>
  );
}

const DELAYS = ['0s', '0.15s', '0.3s'];

function TypingSign({ conversationId, name }: { conversationId: string; name: string }) {
  const t = useTexts(chat);
  if (!useTyping(conversationId)) return null;
  return (
    <div className={MESSAGE} data-starts>
      <MessageSide mine={false}>
        <div
          className={cn(bubbleVariants({ state: 'received' }), 'flex gap-1.25 py-3.75')}
          role="img"
          aria-label={t('typing', { name })}
        >
          {DELAYS.map((animationDelay) => (
            <i
              key={animationDelay}
              className="size-1.75 animate-[pulse_1.2s_infinite] rounded-full bg-subtle-foreground"
              style={{ animationDelay }}
            />
          ))}
        </div>
      </MessageSide>
    </div>
  );
}

function unseenAfter(seen: string | undefined, messages: readonly DirectMessage[], me: string): number {
  const index = messages.findLastIndex(({ _id }) => _id === seen);
  return messages.slice(index + 1).filter(({ senderId }) => senderId !== me).length;
}

type RowsProps = { messages: readonly DirectMessage[]; me: string; name: string; staff: boolean };

/** Memoised, so that scrolling and typing do not render thousands of rows. */
const Rows = memo(function Rows({ messages, me, name, staff }: RowsProps) {
  const now = useNow();
  const rows = useMemo(() => logRows(messages), [messages]);
  const thread = useMemo(() => ({ messages, me }), [messages, me]);
  const last = messages.findLast(({ senderId }) => senderId !== me)?._id;
  const words = useWarningWords();
  // Day headings depend on the language.
  useLanguage();
  return (
    <PicturesOf value={thread}>
      {rows.map(({ message, newDay, starts, ends }) => (
        <MessageRow
          key={message._id}
          message={message}
          me={me}
          words={words}
          name={name}
          staff={staff}
          day={newDay ? dayHeading(message.createdAt, now) : null}
          starts={starts}
          ends={ends}
          reachable={message._id === last}
        />
      ))}
    </PicturesOf>
  );
});

/** The messages as elements, so that find-in-page and screen readers see all of them. */
export function MessageLog({ conversationId, messages, pending, online, me, other, answered, older, follow }: Props) {
  const t = useTexts(chat);
  const { setBox, onScroll, atEnd, seen, toEnd } = follow;
  const unseen = atEnd ? 0 : unseenAfter(seen, messages, me);
  const name = other.username;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {/* Not announced. `contain` avoids measuring thousands of rows when the composer grows.
          Without `overflow-anchor`, the page corrects the position itself, alike in every
          browser. */}
      <div
        className="relative flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain contain-strict [overflow-anchor:none] focus-visible:-outline-offset-3"
        ref={setBox}
        onScroll={onScroll}
        role="log"
        aria-label={t('log')}
        aria-live={older.loading ? 'off' : 'polite'}
        // Scrollable content must be reachable by the keyboard.
        tabIndex={0}
      >
        <div className={cn(COLUMN, 'mt-auto flex-none pt-2 pb-5')}>
          <Top other={other} answered={answered} older={older} empty={messages.length === 0} />
          <Rows messages={messages} me={me} name={name} staff={other.isStaff} />
          {pending.map((message) => (
            <PendingRow key={message.key} message={message} online={online} />
          ))}
          <TypingSign conversationId={conversationId} name={name} />
        </div>
      </div>
      {atEnd ? null : (
        <button
          type="button"
          className={buttonVariants({
            variant: 'outline',
            className: 'absolute right-gutter bottom-3 min-w-11 px-3 shadow-overlay',
          })}
          onClick={toEnd}
        >
          <ArrowDown aria-hidden="true" />
          {unseen > 0 ? t('jumpNew', { count: unseen }) : <span className="sr-only">{t('jump')}</span>}
        </button>
      )}
    </div>
  );
}
