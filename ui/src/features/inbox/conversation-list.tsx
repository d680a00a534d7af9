import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Conversation } from '@/api/contract';
import { ConversationFace } from '@/components/chat/conversation-row';
import { Failure } from '@/components/failure';
import { EmptyStrip } from '@/components/khata/strip';
import { MoreFailed } from '@/components/show-more';
import { Button } from '@/components/ui/button';
import { Empty } from '@/components/ui/empty';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { common } from '@/i18n/en/common';
import { shell } from '@/i18n/en/shell';
import { conversationsOf } from '@/lib/chat/pages';
import { inboxQuery } from '@/lib/chat/queries';
import { useMe } from '@/lib/queries';
import { useNow } from '@/lib/time';

const PLACES = [0, 1, 2, 3, 4, 5];

function Waiting() {
  const t = useTexts(chat);
  return (
    <div role="status" aria-live="polite">
      <span className="sr">{t('loading')}</span>
      {PLACES.map((place) => (
        <div key={place} className="conv" aria-hidden="true">
          <Skeleton className="rounded-full" width={40} height={40} />
          <span className="conv__t g2">
            <Skeleton width="48%" />
            <Skeleton width="78%" height={12} />
          </span>
        </div>
      ))}
    </div>
  );
}

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
            className="conv"
            aria-current={conversation._id === open ? 'true' : undefined}
            data-unread={conversation.unread || undefined}
          >
            <ConversationFace conversation={conversation} me={me} now={now} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The conversations of the inbox, newest first. */
export function ConversationList({ open }: { open: string | undefined }) {
  const t = useTexts(chat);
  const c = useTexts(common);
  const s = useTexts(shell);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useInfiniteQuery(inboxQuery);
  const more = () => void fetchNextPage();
  const conversations = data ? conversationsOf(data) : [];
  const unread = conversations.filter((conversation) => conversation.unread).length;
  return (
    <nav className="convs" aria-label={t('conversations')}>
      <div className="convs__head">
        <h2 className="d24">{t('inbox')}</h2>
        {unread > 0 ? <span className="m t14">{t('unreadCount', { count: unread })}</span> : null}
      </div>
      {data ? (
        <Rows conversations={conversations} open={open} />
      ) : error ? (
        <div className="convs__failed">
          <Failure error={error} fallback={t('failed.conversation')} />
          <Button variant="line" onClick={() => void refetch()}>
            {c('retry')}
          </Button>
        </div>
      ) : (
        <Waiting />
      )}
      {data && conversations.length === 0 ? (
        <div className="convs__none">
          <Empty title={t('none')} text={t('noneText')} picture={<EmptyStrip />}>
            <Button variant="line" asChild>
              <Link to="/explore">{s('explore')}</Link>
            </Button>
          </Empty>
        </div>
      ) : null}
      {hasNextPage ? (
        <>
          <Button variant="quiet" wide busy={isFetchingNextPage} onClick={more}>
            {t('more')}
          </Button>
          <MoreFailed error={isFetchNextPageError ? error : null} busy={isFetchingNextPage} more={more} />
        </>
      ) : null}
    </nav>
  );
}
