import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { Conversation, Party } from '@/api/contract';
import { Note } from '@/components/note';
import { Button } from '@/components/ui/button';
import { usePendingMessages } from '@/entities/chat/outbox';
import { otherParticipant } from '@/entities/chat/participants';
import { conversationQuery, messagesQuery } from '@/entities/chat/queries';
import { openConversation } from '@/entities/chat/read-receipts';
import { messagesOf } from '@/entities/chat/reducers';
import { storeSelection } from '@/entities/chat/selection';
import { confirmArrived } from '@/entities/chat/send';
import { useMe } from '@/entities/user/queries';
import { useOnline } from '@/hooks/use-online';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { errorAdvice, errorText } from '@/lib/errors';
import { COLUMN } from './bubble';
import { Closed } from './closed';
import { Composer } from './composer';
import { DealStrip, useOpenDeals } from './deal-strip';
import { MessageLog } from './message-log';
import { PostStrip } from './post-strip';
import { ThreadHead } from './thread-head';
import { ThreadSkeleton } from './thread-skeleton';
import { useScrollFollow } from './use-scroll-follow';
import { FirstContact } from './warnings/first-contact';

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
        <Closed block={conversation.block} other={other} composer={field} />
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
  useOpen(conversation, me);
  return (
    <ThreadFrame label={t('with', { name: other.username })}>
      <ThreadHead other={other} deal={deal}>
        {conversation.writable ? <DealButton other={other} postId={conversation.post?._id} /> : null}
      </ThreadHead>
      <PostStrip post={conversation.post} />
      <DealStrip deal={deal} more={more} me={me} other={other} />
      {conversation.answered ? null : <FirstContact />}
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
