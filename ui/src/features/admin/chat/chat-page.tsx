import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Eye, MessagesSquare } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { LoadFailed } from '@/components/load-failed';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { SkeletonPage } from '@/components/skeleton-page';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { useTexts } from '@/i18n';
import { adminChat } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { api, send } from '@/lib/api';
import type { ChatSearch } from '../admin-search';
import { AdminMain } from '../frame/admin-frame';
import { userQuery } from '../users/queries';
import { UserPicker } from '../users/user-picker';
import { Messages } from './messages';

/** Each request is recorded in the audit log, so nothing is refetched or cached. */
const inspectedQuery = (one: string, other: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'inspected', one, other],
    queryFn: ({ pageParam, signal }) =>
      withConfirmation(() =>
        send(
          api.GET('/admin/messages/by-users/{userId1}/{userId2}', {
            params: { path: { userId1: one, userId2: other }, query: pageParam === null ? {} : { before: pageParam } },
            signal,
          }),
        ),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
    // Not even when everything is invalidated.
    staleTime: 'static',
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
    meta: { quiet: true },
  });

/** Starts at the newest message, and keeps the scroll position when older ones load above. */
function usePlace(oldest: string | undefined) {
  const scroller = useRef<HTMLElement>(null);
  const fromEnd = useRef(0);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && oldest !== undefined) box.scrollTop = box.scrollHeight - fromEnd.current;
  }, [oldest]);
  const remember = () => {
    if (scroller.current) fromEnd.current = scroller.current.scrollHeight - scroller.current.scrollTop;
  };
  return { scroller, remember };
}

type Props = { one: string; other: string };

/** Loads on mount; it is only mounted on the admin's request. */
function Transcript({ one, other }: Props) {
  const t = useTexts(adminChat);
  const tCommon = useTexts(common);
  const query = useInfiniteQuery(inspectedQuery(one, other));
  const { data: first } = useQuery(userQuery(one));
  const { data: second } = useQuery(userQuery(other));
  const messages = query.data?.pages.toReversed().flatMap((page) => page.messages) ?? [];
  const { scroller, remember } = usePlace(messages[0]?._id);
  const staff = [first, second].flatMap((user) => (user?.isStaff ? [user._id] : []));
  const names = { one: first?.username ?? '', other: second?.username ?? '' };
  const older = () => {
    remember();
    void query.fetchNextPage();
  };
  const skeleton = (
    <SkeletonPage part>
      <Skeleton className="h-11 w-3/5" />
      <Skeleton className="mt-4 ml-auto h-11 w-1/2" />
      <Skeleton className="mt-4 h-11 w-2/5" />
    </SkeletonPage>
  );
  return (
    <QueryPart query={query} failure={t('failed')} skeleton={skeleton}>
      {() =>
        messages.length === 0 ? (
          <EmptyState title={t('none')} text={t('noneText')} />
        ) : (
          <section
            className="relative max-h-[max(420px,calc(100dvh-330px))] max-w-210 overflow-auto overscroll-contain border-y border-border-strong px-3 pt-1 pb-5"
            aria-label={t('between', names)}
            tabIndex={0}
            ref={scroller}
          >
            {query.isFetchNextPageError ? <LoadFailed error={query.error} fallback={t('failed')} onRetry={older} /> : null}
            {query.hasNextPage ? (
              <p className="grid place-items-center py-3">
                <PendingButton
                  variant="outline"
                  pending={query.isFetchingNextPage}
                  pendingText={tCommon('loading')}
                  onClick={older}
                >
                  {t('older')}
                </PendingButton>
              </p>
            ) : (
              <p className="grid place-items-center py-3 text-sm text-muted-foreground">{t('beginning')}</p>
            )}
            <Messages messages={messages} right={other} staff={staff} />
          </section>
        )
      }
    </QueryPart>
  );
}

const route = getRouteApi('/_admin/admin/chat');

/** /admin/chat: the messages of two users. Loaded on request only, since each look is logged. */
export function ChatPage() {
  const t = useTexts(adminChat);
  const { one, other } = route.useSearch();
  const navigate = route.useNavigate();
  const [looked, setLooked] = useState<string | null>(null);
  const pair = one !== undefined && other !== undefined && one !== other ? `${one} ${other}` : null;
  const choose = (change: ChatSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false });
  return (
    <AdminMain title={t('page')}>
      <h1 className="mb-4 font-display text-display-md">{t('title')}</h1>
      <Note kind="info" icon={<Eye aria-hidden="true" />} className="mb-2">
        {t('logged')}{' '}
        <Link to="/admin/audit" search={{ action: 'chat.inspect' }}>
          {t('log')}
        </Link>
      </Note>
      <div className="my-5 grid max-w-210 items-start gap-x-5 gap-y-4 min-[700px]:grid-cols-2">
        <UserPicker label={t('one')} value={one} onValue={(id) => choose({ one: id })} />
        <UserPicker
          label={t('other')}
          value={other}
          onValue={(id) => choose({ other: id })}
          error={one !== undefined && one === other ? t('rule.two') : undefined}
        />
      </div>
      {pair !== null && looked === pair && one && other ? (
        <Transcript key={pair} one={one} other={other} />
      ) : (
        <div className="grid justify-items-start gap-2">
          <Button disabled={pair === null} onClick={() => setLooked(pair)}>
            <MessagesSquare aria-hidden="true" />
            {t('show')}
          </Button>
          {pair === null ? <p className="text-sm text-muted-foreground">{t('choose')}</p> : null}
        </div>
      )}
    </AdminMain>
  );
}
