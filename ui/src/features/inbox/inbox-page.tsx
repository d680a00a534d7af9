import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageSquareText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Conversation } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { Failure } from '@/components/failure';
import { Page } from '@/components/page';
import { MoreFailed } from '@/components/pager';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { conversationsOf, otherParticipant } from '@/entities/chat/cache';
import { CONVERSATION_ROW, ConversationSummary } from '@/entities/chat/conversation-row';
import { conversationQuery, inboxQuery } from '@/entities/chat/queries';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { common } from '@/i18n/en/common';
import { member } from '@/i18n/en/user';
import { cn } from '@/lib/cn';
import { useNow } from '@/lib/server-clock';

const PLACES = [0, 1, 2, 3, 4, 5];

function Waiting() {
  const t = useTexts(chat);
  return (
    <div role="status" aria-live="polite">
      <span className="sr-only">{t('loading')}</span>
      {PLACES.map((place) => (
        <div key={place} className={cn(CONVERSATION_ROW, 'px-5')} aria-hidden="true">
          <Skeleton className="size-10 rounded-full" />
          <span className="grid min-w-0 flex-1 gap-px">
            <Skeleton className="w-[48%]" />
            <Skeleton className="h-3 w-[78%]" />
          </span>
        </div>
      ))}
    </div>
  );
}

const OPEN = 'bg-secondary shadow-[inset_4px_0_var(--foreground)]';

function Rows({ conversations, open }: { conversations: readonly Conversation[]; open: string | undefined }) {
  const me = useMe()._id;
  const now = useNow();
  return (
    <ul>
      {conversations.map((conversation) => (
        <li key={conversation._id}>
          <Link
            to="/inbox/$conversationId"
            params={{ conversationId: conversation._id }}
            className={cn(
              CONVERSATION_ROW,
              'px-5 focus-visible:-outline-offset-2',
              conversation._id === open ? OPEN : 'hover:bg-muted',
            )}
            aria-current={conversation._id === open ? 'true' : undefined}
          >
            <ConversationSummary conversation={conversation} me={me} now={now} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function ConversationList({ open }: { open: string | undefined }) {
  const t = useTexts(chat);
  const tCommon = useTexts(common);
  const tMember = useTexts(member);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useInfiniteQuery(inboxQuery);
  const more = () => void fetchNextPage();
  const conversations = data ? conversationsOf(data) : [];
  const unread = conversations.filter((conversation) => conversation.unread).length;
  return (
    <nav
      className={cn('relative min-h-0 overflow-auto min-[769px]:border-r', open !== undefined && 'max-[769px]:hidden')}
      aria-label={t('conversations')}
    >
      <div className="flex items-baseline justify-between gap-3 border-b-2 border-foreground px-5 pt-4 pb-2.5">
        <h2 className="font-display text-display-sm">{t('inbox')}</h2>
        {unread > 0 ? <span className="text-sm text-muted-foreground">{t('unreadCount', { count: unread })}</span> : null}
      </div>
      {data ? (
        <Rows conversations={conversations} open={open} />
      ) : error ? (
        <div className="grid justify-items-start gap-3 p-5">
          <Failure error={error} fallback={t('failed.conversation')} />
          <Button variant="outline" onClick={() => void refetch()}>
            {tCommon('retry')}
          </Button>
        </div>
      ) : (
        <Waiting />
      )}
      {data && conversations.length === 0 ? (
        <div className="p-5 *:border-0">
          <EmptyState title={t('none')} text={t('noneText')} picture={<EmptyStrip />}>
            <Button variant="outline" asChild>
              <Link to="/explore">{tMember('explore')}</Link>
            </Button>
          </EmptyState>
        </div>
      ) : null}
      {hasNextPage ? (
        <>
          <PendingButton variant="ghost" pending={isFetchingNextPage} pendingText={null} onClick={more} className="w-full">
            {t('more')}
          </PendingButton>
          <MoreFailed error={isFetchNextPageError ? error : null} busy={isFetchingNextPage} more={more} />
        </>
      ) : null}
    </nav>
  );
}

export function EmptyPanel() {
  const t = useTexts(chat);
  return (
    <section
      className="flex min-h-0 min-w-0 flex-col items-center justify-center gap-4 p-8 text-center max-[769px]:hidden"
      aria-label={t('empty.title')}
    >
      <MessageSquareText className="size-8 text-subtle-foreground" aria-hidden="true" />
      <p className="font-display text-display-sm">{t('empty.title')}</p>
      <div className="text-muted-foreground">
        <p>{t('empty.text')}</p>
        <p className="text-sm">{t('empty.hint')}</p>
      </div>
      <Button variant="outline" asChild>
        <Link to="/deal">{t('empty.deals')}</Link>
      </Button>
    </section>
  );
}

export function InboxPage({ conversationId, children }: { conversationId: string | undefined; children: ReactNode }) {
  const t = useTexts(chat);
  const me = useMe()._id;
  const { data: open } = useQuery({ ...conversationQuery(conversationId ?? ''), enabled: false });
  const title = open && conversationId !== undefined ? t('with', { name: otherParticipant(open, me).username }) : t('inbox');
  return (
    <Page
      title={title}
      bare
      fill={conversationId === undefined ? 'window' : 'alone'}
      className="grid min-h-0 flex-1 grid-cols-1 grid-rows-1 min-[769px]:grid-cols-[340px_minmax(0,1fr)]"
    >
      <h1 className="sr-only">{title}</h1>
      <ConversationList open={conversationId} />
      {children}
    </Page>
  );
}
