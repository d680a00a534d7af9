import { type UseInfiniteQueryResult, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  ArrowDownToLine,
  ArrowLeftRight,
  ArrowUpFromLine,
  Bell,
  CheckCheck,
  Gift,
  Handshake,
  Heart,
  type LucideIcon,
  Search,
  ShieldCheck,
  Star,
} from 'lucide-react';
import { type MouseEvent, useEffect, useEffectEvent, useRef } from 'react';
import type { Notification } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { LoadFailed } from '@/components/load-failed';
import { PendingButton } from '@/components/pending-button';
import { Dialog, DialogContent, DialogHeader, DialogTitle } from '@/components/ui/dialog';
import type { Holder } from '@/entities/deal/khata/holder';
import { Glyph } from '@/entities/deal/khata/strip';
import {
  notificationRows,
  notificationsQuery,
  recountUnread,
  useMarkAllRead,
  useMarkRead,
} from '@/entities/notification/queries';
import { useMe } from '@/entities/user/queries';
import { useReturnFocus } from '@/hooks/use-focus';
import { currentLanguage, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { notifications } from '@/i18n/en/shell';
import { cn } from '@/lib/cn';
import { safeRedirect } from '@/lib/redirect';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The age of a moment, "12 min ago", and its date from a day on; null below a minute. */
function formatAgo(moment: string, now: number): string | null {
  const passed = now - Date.parse(moment);
  if (passed < MINUTE) return null;
  if (passed >= DAY) return formatTime(moment, 'day');
  const format = new Intl.RelativeTimeFormat(currentLanguage() === 'bn' ? 'bn-BD' : 'en-GB', { style: 'short' });
  return passed < HOUR
    ? format.format(-Math.floor(passed / MINUTE), 'minute')
    : format.format(-Math.floor(passed / HOUR), 'hour');
}

/** After these kinds the buyer or seller has the money; after all others of a deal, Amanat. */
const BUYER =
  /^deal_(?:offered|offered_to_seller|declined|declined_paid|withdrawn|expired|expires_soon|cancel_accepted|unanswered|seller_cancelled|buyer_left|seller_disabled|overdue|admin_cancelled)$/;
const SELLER = /^(?:deal_(?:completed|admin_completed|clock_completed)|release_made)$/;

/** Kinds without a single holder have an icon. */
const ICONS: readonly [prefix: string, icon: LucideIcon][] = [
  ['deal_accepted', Handshake],
  ['deal_counteroffer_accepted', Handshake],
  ['deal_counteroffer', ArrowLeftRight],
  ['deal_dispute_settled', Handshake],
  ['deposit_', ArrowDownToLine],
  ['withdrawal_', ArrowUpFromLine],
  ['referral_', Gift],
  ['review_', Star],
  ['saved_post_', Heart],
  ['saved_search_', Search],
  ['admin_', ShieldCheck],
];

function holderAfter(kind: string): Holder {
  if (BUYER.test(kind)) return 'buyer';
  return SELLER.test(kind) ? 'seller' : 'amanat';
}

export function NotificationPicture({ kind }: { kind: string }) {
  const known = ICONS.find(([prefix]) => kind.startsWith(prefix))?.[1];
  if (!known && /^(?:deal_|(?:payment|release)_made$)/.test(kind)) return <Glyph holder={holderAfter(kind)} />;
  const Icon = known ?? Bell;
  return <Icon />;
}

type Props = {
  row: Notification;
  /** `path` is the link's target; null without one, or if the browser opens it in another tab. */
  onOpen: (row: Notification, path: string | null) => void;
};

const ROW = cn(
  'grid w-full grid-cols-[31px_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 border-b py-3.5 in-[li:last-child]:border-b-0',
  'text-start text-md wrap-anywhere text-inherit no-underline',
  'hover:bg-muted hover:shadow-[-24px_0_var(--muted),24px_0_var(--muted)]',
);

function NotificationRow({ row, onOpen }: Props) {
  const t = useTexts(notifications);
  const me = useMe();
  const now = useNow();
  const path = row.link === '' ? null : safeRedirect(row.link, me);
  const className = cn(ROW, !row.isRead && 'font-semibold');
  const content = (
    <>
      {/* The text says the same. */}
      <span className="grid h-5.5 place-items-center" aria-hidden="true">
        <NotificationPicture kind={row.kind} />
      </span>
      <span>
        {row.isRead ? null : <span className="sr-only">{t('isUnread')} </span>}
        {row.message}
      </span>
      <time dateTime={row.createdAt} className="text-caption/5.5 font-normal whitespace-nowrap text-muted-foreground">
        {formatAgo(row.createdAt, now) ?? t('justNow')}
        {row.isRead ? null : <span className="ml-2 inline-block size-2.25 rounded-full bg-pen" />}
      </time>
    </>
  );
  if (path === null) {
    return (
      <button type="button" className={className} onClick={() => onOpen(row, null)}>
        {content}
      </button>
    );
  }
  const open = (event: MouseEvent) => {
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!elsewhere) event.preventDefault();
    onOpen(row, elsewhere ? null : path);
  };
  return (
    <a href={path} className={className} onClick={open}>
      {content}
    </a>
  );
}

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
            pendingText={null}
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
