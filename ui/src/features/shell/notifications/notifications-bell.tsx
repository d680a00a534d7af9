import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { clearUnread, unreadNotificationsQuery } from '@/entities/notification/queries';
import { useTexts } from '@/i18n';
import { notifications } from '@/i18n/en/shell';
import { preload } from '@/lib/prefetch';
import { NAV_DOT, NAV_ICON } from '../navbar/nav';

const load = () => import('./notifications-panel');
const Panel = lazyPart(load, ({ onClose }) => onClose());

export function NotificationsBell() {
  const queryClient = useQueryClient();
  const t = useTexts(notifications);
  const [open, setOpen] = useState(false);
  const { data: unread = false } = useQuery(unreadNotificationsQuery);
  const dot = unread && !open;
  const show = () => {
    clearUnread(queryClient);
    setOpen(true);
  };
  return (
    <>
      <button
        type="button"
        className={NAV_ICON}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={t(dot ? 'unread' : 'title')}
        onClick={show}
        onPointerEnter={() => preload(load)}
      >
        <Bell aria-hidden="true" />
        {dot ? <span data-slot="dot" className={NAV_DOT} /> : null}
      </button>
      <span role="status" aria-live="polite" className="sr-only">
        {dot ? t('arrived') : null}
      </span>
      {open ? (
        <Suspense>
          <Panel onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
