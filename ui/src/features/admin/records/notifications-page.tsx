import { getRouteApi, Link } from '@tanstack/react-router';
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  Bell,
  Bug,
  CheckCheck,
  Flag,
  GitCompareArrows,
  Handshake,
  LifeBuoy,
  type LucideIcon,
  Mail,
  Scale,
  ShieldCheck,
  ShieldOff,
  Smartphone,
  SquarePen,
  UserCheck,
} from 'lucide-react';
import type { AdminNotification } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { PendingButton } from '@/components/pending-button';
import { buttonVariants } from '@/components/ui/button';
import { useMarkAllRead, useMarkRead } from '@/entities/notification/queries';
import { type Key, useTexts } from '@/i18n';
import { adminRecords } from '@/i18n/en/admin';
import { cn } from '@/lib/cn';
import { formatTime } from '@/lib/time';
import { QueuePage } from '../queue/queue-page';
import { useAdminList } from '../queue/use-admin-list';
import { PersonLink } from '../review/review-parts';
import { sentNotificationsQuery } from './queries';

const KINDS = {
  admin_deposit: { text: 'kind.deposit', icon: ArrowDownToLine },
  admin_deposit_disputed: { text: 'kind.disputed', icon: GitCompareArrows },
  admin_receiver_broken: { text: 'kind.payments', icon: Smartphone },
  admin_money_left: { text: 'kind.left', icon: Smartphone },
  admin_credit: { text: 'kind.credit', icon: UserCheck },
  admin_withdrawal: { text: 'kind.withdrawal', icon: ArrowUpFromLine },
  admin_correction: { text: 'kind.correction', icon: SquarePen },
  admin_correction_operator: { text: 'kind.correction', icon: SquarePen },
  admin_report: { text: 'kind.report', icon: Flag },
  admin_appeal: { text: 'kind.appeal', icon: Scale },
  admin_dispute: { text: 'kind.dispute', icon: Scale },
  admin_dispute_appeal: { text: 'kind.disputeAppeal', icon: Scale },
  admin_support: { text: 'kind.support', icon: LifeBuoy },
  admin_suspended: { text: 'kind.suspended', icon: Handshake },
  admin_escalated: { text: 'kind.escalated', icon: Handshake },
  admin_bug_report: { text: 'kind.bug', icon: Bug },
  admin_contact: { text: 'kind.contact', icon: Mail },
  admin_granted: { text: 'kind.granted', icon: ShieldCheck },
  admin_revoked: { text: 'kind.revoked', icon: ShieldOff },
  admin_visitor_bug_report: { text: 'kind.bug', icon: Bug },
  admin_visitor_contact: { text: 'kind.contact', icon: Mail },
} as const satisfies Record<string, { text: Key<typeof adminRecords>; icon: LucideIcon }>;

/** Unknown types only have the server's text. */
export const OTHER_KIND = { text: 'kind.other', icon: Bell } as const;

export function kindOf(type: string) {
  return type in KINDS ? KINDS[type as keyof typeof KINDS] : OTHER_KIND;
}

const route = getRouteApi('/_admin/admin/notifications');

function placeOf(link: string) {
  const { pathname, searchParams } = new URL(link, window.location.origin);
  return { to: pathname, search: Object.fromEntries(searchParams) };
}

function Notice({ notice, onRead }: { notice: AdminNotification; onRead: () => void }) {
  const t = useTexts(adminRecords);
  const { text, icon: Icon } = kindOf(notice.type);
  const read = () => {
    if (!notice.isRead) onRead();
  };
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 border-b px-1 py-3 text-md min-[700px]:grid-cols-[auto_minmax(0,1fr)_auto]">
      <Icon className="mt-0.5 text-muted-foreground" aria-hidden="true" />
      <div>
        <p className="text-sm text-muted-foreground">
          {t(text)}, <time dateTime={notice.createdAt}>{formatTime(notice.createdAt, 'moment')}</time>
          {notice.isRead ? null : (
            <span className="relative ms-2 inline-block size-2.25 rounded-full bg-pen">
              <span className="sr-only">{t('unread')}</span>
            </span>
          )}
        </p>
        <p className={cn('wrap-anywhere', !notice.isRead && 'font-semibold')}>{notice.message}</p>
        {notice.user ? (
          <p className="text-sm">
            {t('about')} <PersonLink person={notice.user} />
          </p>
        ) : null}
      </div>
      {notice.link ? (
        <Link
          className={buttonVariants({
            variant: 'link',
            className: 'col-start-2 -my-1 self-center justify-self-start py-2.5 min-[700px]:col-start-auto',
          })}
          {...placeOf(notice.link)}
          onClick={read}
          aria-label={t('detailsOf', { message: notice.message })}
        >
          {t('details')}
        </Link>
      ) : null}
    </li>
  );
}

/** /admin/notifications: newest first. */
export function NotificationsPage() {
  const t = useTexts(adminRecords);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: sentNotificationsQuery });
  const { rows } = list;
  const readOne = useMarkRead();
  const readAll = useMarkAllRead();
  return (
    <QueuePage
      title={t('notificationsPage')}
      heading={t('notifications')}
      list={list}
      failure={t('notificationsFailed')}
      filter={
        rows.some(({ isRead }) => !isRead) ? (
          <p className="mb-2">
            <PendingButton variant="outline" pending={readAll.isPending} pendingText={null} onClick={() => readAll.mutate()}>
              <CheckCheck aria-hidden="true" />
              {t('readAll')}
            </PendingButton>
          </p>
        ) : null
      }
      table={
        <ul className="grid border-t">
          {rows.map((notice) => (
            <Notice key={notice._id} notice={notice} onRead={() => readOne.mutate(notice._id)} />
          ))}
        </ul>
      }
      empty={<EmptyState title={t('notificationsEmpty')} text={t('notificationsEmptyText')} />}
    />
  );
}
