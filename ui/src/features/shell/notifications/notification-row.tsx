import type { MouseEvent } from 'react';
import type { Notification } from '@/api/contract';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { notifications } from '@/i18n/en/notifications';
import { cn } from '@/lib/cn';
import { safeRedirect } from '@/lib/redirect';
import { useNow } from '@/lib/server-clock';
import { NotificationPicture } from './notification-picture';
import { formatAgo } from './time-ago';

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

export function NotificationRow({ row, onOpen }: Props) {
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
