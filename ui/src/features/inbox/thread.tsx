import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { type ComponentType, type ReactNode, Suspense, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { Conversation, Party } from '@/api/contract';
import { lazyPart } from '@/components/lazy-part';
import { Note } from '@/components/note';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { messagesOf, otherParticipant } from '@/entities/chat/cache';
import { usePendingMessages } from '@/entities/chat/outbox';
import { conversationQuery, messagesQuery } from '@/entities/chat/queries';
import { openConversation } from '@/entities/chat/read-receipts';
import { storeSelection } from '@/entities/chat/selection';
import { confirmArrived } from '@/entities/chat/send';
import { useMe } from '@/entities/user/queries';
import { useKeyboardOpen, useOnline } from '@/hooks/use-browser';
import { useTexts } from '@/i18n';
import { chat, chatSafety } from '@/i18n/en/chat';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { errorAdvice, errorText } from '@/lib/errors';
import { COLUMN } from './bubble';
import { Composer } from './composer';
import { MessageLog, useScrollFollow } from './message-log';
import { DealStrip, PostStrip, ThreadHead, useOpenDeals } from './thread-head';

const BUBBLES = ['h-11 w-[58%]', 'h-11 w-[34%]', 'ml-auto h-11 w-[46%]', 'h-11 w-[62%]', 'ml-auto h-11 w-2/5'];

function ThreadSkeleton() {
  const t = useTexts(common);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col" role="status" aria-live="polite">
      <span className="sr-only">{t('loading')}</span>
      <div className={cn(COLUMN, 'mt-auto grid flex-none gap-4 pt-2 pb-5')} aria-hidden="true">
        {BUBBLES.map((className, index) => (
          <Skeleton key={index} className={className} />
        ))}
      </div>
    </div>
  );
}

export function ThreadPending() {
  return (
    <section className="flex min-h-0 min-w-0 flex-col">
      <div className="min-h-16 border-b" />
      <ThreadSkeleton />
    </section>
  );
}

// Most conversations are open.
const Closed = lazyPart(() => import('./closed'));

/** Shown until both have written: what Amanat never asks for (docs/rules.md#first-contact). */
function FirstContact() {
  const t = useTexts(chatSafety);
  return (
    <div role="note" data-slot="first-contact" className="border-b bg-status-pending-tint">
      <p className={`${COLUMN} flex items-start gap-2 py-2.5 text-sm/snug`}>
        <ShieldAlert className="mt-px size-4 flex-none text-status-pending" aria-hidden="true" />
        {t('first')}
      </p>
    </div>
  );
}

/** Remembers the conversation as the last one, and marks messages as read while it is open. */
function useOpen(conversation: Conversation, me: string): void {
  const queryClient = useQueryClient();
  const { _id: id, unread } = conversation;
  const other = otherParticipant(conversation, me);
  useEffect(() => openConversation(queryClient, id), [queryClient, id, unread]);
  useEffect(() => storeSelection(me, id, other), [me, id, other]);
}

function Failed({ text, error, onRetry }: { text: string; error: Error; onRetry: () => void }) {
  const t = useTexts(common);
  return (
    <div className={cn(COLUMN, 'grid justify-items-start gap-4 py-8')} role="alert">
      <Note kind="bad" className="w-full">
        <p>{errorText(error, text)}</p>
        <p>{errorAdvice(error)}</p>
      </Note>
      <Button onClick={onRetry}>{t('retry')}</Button>
    </div>
  );
}

function Messages({ conversation, me }: { conversation: Conversation; me: string }) {
  const t = useTexts(chat);
  const { _id: id, writable, answered } = conversation;
  const other = otherParticipant(conversation, me);
  const field = useRef<HTMLTextAreaElement>(null);
  const query = useInfiniteQuery(messagesQuery(id));
  const messages = useMemo(() => (query.data ? messagesOf(query.data) : []), [query.data]);
  const pending = usePendingMessages(me, id);
  // Before the first paint, so that arrived messages never show as unsent.
  useLayoutEffect(() => messages.forEach(confirmArrived), [messages]);
  const older = {
    more: query.data === undefined || query.hasNextPage,
    loading: query.isFetchingNextPage,
    failed: query.isFetchNextPageError,
    load: () => void query.fetchNextPage({ cancelRefetch: false }),
  };
  const comeNear = () => {
    if (query.hasNextPage && !query.isFetching && !older.failed) older.load();
  };
  const newest = messages.at(-1)?._id;
  const follow = useScrollFollow({ first: messages[0]?._id, last: pending.at(-1)?.key ?? newest, newest }, comeNear);
  const online = useOnline();
  if (query.data === undefined && query.error)
    return <Failed text={t('failed.messages')} error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      {query.data === undefined ? (
        <ThreadSkeleton />
      ) : (
        <MessageLog
          conversationId={id}
          messages={messages}
          pending={pending}
          online={online}
          me={me}
          other={other}
          answered={answered}
          older={older}
          follow={follow}
        />
      )}
      {writable ? (
        // One's own message scrolls to the end from anywhere; the 50 pixels are for messages of
        // others.
        <Composer conversationId={id} me={me} other={other} fieldRef={field} onSend={follow.toEnd} />
      ) : (
        <Suspense>
          <Closed block={conversation.block} other={other} composer={field} />
        </Suspense>
      )}
    </>
  );
}

type DealButton = ComponentType<{ other: Party; postId: string | undefined }>;

function Conversed({ conversation, DealButton }: { conversation: Conversation; DealButton: DealButton }) {
  const t = useTexts(chat);
  const me = useMe()._id;
  const other = otherParticipant(conversation, me);
  const { deal, more } = useOpenDeals(me, other._id);
  // A keyboard leaves no room, and some browsers make the window smaller for it.
  const typing = useKeyboardOpen();
  useOpen(conversation, me);
  return (
    <ThreadFrame label={t('with', { name: other.username })}>
      <ThreadHead other={other} deal={deal}>
        {conversation.writable ? <DealButton other={other} postId={conversation.post?._id} /> : null}
      </ThreadHead>
      <div className={cn('max-2xs:short:hidden', typing && 'hidden')}>
        <PostStrip post={conversation.post} />
        <DealStrip deal={deal} more={more} me={me} other={other} />
        {conversation.answered ? null : <FirstContact />}
      </div>
      <Messages conversation={conversation} me={me} />
    </ThreadFrame>
  );
}

function ThreadFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className="flex min-h-0 min-w-0 flex-col" aria-label={label}>
      {children}
    </section>
  );
}

export function ThreadPage({ id, DealButton }: { id: string; DealButton: DealButton }) {
  const t = useTexts(chat);
  const { data, error, refetch } = useQuery(conversationQuery(id));
  if (data) return <Conversed conversation={data} DealButton={DealButton} />;
  return (
    <ThreadFrame label={t('log')}>
      {error ? <Failed text={t('failed.conversation')} error={error} onRetry={() => void refetch()} /> : <ThreadSkeleton />}
    </ThreadFrame>
  );
}
