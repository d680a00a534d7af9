import { type UseInfiniteQueryResult, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { CheckCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Notification } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { LoadFailed } from '@/components/load-failed';
import { PendingButton } from '@/components/pending-button';
import { Dialog, DialogContent, DialogHeader, DialogTitle } from '@/components/ui/dialog';
import {
  notificationRows,
  notificationsQuery,
  recountUnread,
  useMarkAllRead,
  useMarkRead,
} from '@/entities/notification/queries';
import { useReturnFocus } from '@/hooks/use-return-focus';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { notifications } from '@/i18n/en/notifications';
import { cn } from '@/lib/cn';
import { NotificationRow } from './notification-row';

/** The distance from the end at which the next page loads. */
const LOAD_AHEAD = '160px';

/** Loads more when it comes into view. `loaded` is the number of rows. */
function More({ loaded, onReach }: { loaded: number; onReach: () => void }) {
  const t = useTexts(notifications);
  const end = useRef<HTMLParagraphElement>(null);
  const reached = useEffectEvent(onReach);
  useEffect(() => {
    const { current } = end;
    if (!current) return undefined;
    const seen = ([entry]: IntersectionObserverEntry[]) => {
      if (entry?.isIntersecting) reached();
    };
    const observer = new IntersectionObserver(seen, { root: current.closest('[data-slot="notices"]'), rootMargin: LOAD_AHEAD });
    observer.observe(current);
    return () => observer.disconnect();
    // Observes anew after each page, because an end still in view triggers no event.
  }, [loaded]);
  return (
    <p ref={end} role="status" aria-live="polite" className="py-4 text-center text-sm text-muted-foreground">
      {t('loading')}
    </p>
  );
}

type Rest = { query: UseInfiniteQueryResult; loaded: number };

function Rest({ query, loaded }: Rest) {
  const t = useTexts(notifications);
  const { error, isPending, isLoadingError, isFetchNextPageError, hasNextPage, fetchNextPage, refetch } = query;
  if (error && isLoadingError) return <LoadFailed error={error} text={t('failed')} onRetry={() => void refetch()} />;
  if (error && isFetchNextPageError) return <LoadFailed error={error} text={t('failed')} onRetry={() => void fetchNextPage()} />;
  if (!isPending && !hasNextPage) return null;
  return <More loaded={loaded} onReach={() => (isPending ? undefined : void fetchNextPage({ cancelRefetch: false }))} />;
}

function useNotices(onClose: () => void) {
  const queryClient = useQueryClient();
  const query = useInfiniteQuery(notificationsQuery);
  const router = useRouter();
  const markRead = useMarkRead();
  const { data } = query;
  useEffect(() => {
    if (data) recountUnread(queryClient, data);
  }, [queryClient, data]);
  const open = (row: Notification, path: string | null) => {
    if (!row.isRead) markRead.mutate(row._id);
    if (path === null) return;
    onClose();
    router.history.push(path);
  };
  return { query, rows: data ? notificationRows(data) : null, open };
}

/** Below the bell on a wide screen; the list scrolls under its head. */
const PANEL = cn(
  'flex flex-col overflow-hidden pb-0 max-xs:pb-0',
  'xs:top-18 xs:right-[max(16px,calc((100vw-1264px)/2+16px))] xs:left-auto xs:max-h-[min(680px,calc(100dvh-96px))] xs:w-110 xs:translate-none',
);

export default function NotificationsPanel({ onClose }: { onClose: () => void }) {
  const t = useTexts(notifications);
  const focus = useReturnFocus();
  const { query, rows, open } = useNotices(onClose);
  const tCommon = useTexts(common);
  const readAll = useMarkAllRead();
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        closeLabel={tCommon('close')}
        aria-describedby={undefined}
        className={PANEL}
        onOpenAutoFocus={focus.remember}
        onCloseAutoFocus={focus.giveBack}
      >
        <DialogHeader>
          <DialogTitle className="mb-1 max-xs:mb-1">{t('title')}</DialogTitle>
        </DialogHeader>
        {rows?.some(({ isRead }) => !isRead) ? (
          <PendingButton
            variant="ghost"
            className="mb-1 -ml-3 self-start"
            pending={readAll.isPending}
            onClick={() => readAll.mutate()}
          >
            <CheckCheck aria-hidden="true" />
            {t('readAll')}
          </PendingButton>
        ) : null}
        <div
          data-slot="notices"
          className="-mx-6 min-h-0 overflow-y-auto overscroll-contain border-t px-6 pb-4 max-xs:-mx-4 max-xs:px-4"
        >
          {rows?.length === 0 ? <EmptyState title={t('none')} text={t('noneText')} className="border-y-0 pb-2" /> : null}
          {rows && rows.length > 0 ? (
            <ul>
              {rows.map((row) => (
                <li key={row._id}>
                  <NotificationRow row={row} onOpen={open} />
                </li>
              ))}
            </ul>
          ) : null}
          <Rest query={query} loaded={rows?.length ?? 0} />
        </div>
      </DialogContent>
    </Dialog>
  );
}
