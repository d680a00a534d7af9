import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TAB_LINK } from '@/components/tabs-nav';
import { Badge } from '@/components/ui/badge';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { count } from '@/lib/money';
import { QUEUE_TABS, type QueueTab } from './queue-search';
import { rowLinkId } from './use-row-review';

export type QueuePath = '/admin/deposit' | '/admin/withdrawal';
type ReviewPath =
  | QueuePath
  | '/admin/deals'
  | '/admin/disputes'
  | '/admin/adjustments'
  | '/admin/support-requests'
  | '/admin/reports'
  | '/admin/bug-reports'
  | '/admin/contact-messages'
  | '/admin/users'
  | '/admin/audit';

export function QueueTabs({ to, shown, waiting }: { to: QueuePath; shown: QueueTab; waiting: number | undefined }) {
  const t = useTexts(admin);
  return QUEUE_TABS.map((tab) => (
    <Link
      key={tab}
      to={to}
      search={(now) => ({ ...now, tab: tab === 'waiting' ? undefined : tab, page: undefined, review: undefined })}
      resetScroll={false}
      className={TAB_LINK}
      aria-current={tab === shown ? 'page' : undefined}
    >
      {t(`tab.${tab}`)} {tab === 'waiting' && waiting ? <Badge variant="count">{count(waiting)}</Badge> : null}
    </Link>
  ));
}

export function RowLink({ to, id, children }: { to: ReviewPath; id: string; children: ReactNode }) {
  return (
    <Link
      from={to}
      search={(now) => ({ ...now, review: id })}
      id={rowLinkId(id)}
      className="after:absolute after:inset-0 focus-visible:outline-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-pen"
      resetScroll={false}
    >
      {children}
    </Link>
  );
}
