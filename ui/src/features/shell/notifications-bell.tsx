import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTexts } from '@/i18n';
import { notifications } from '@/i18n/en/notifications';
import { inBackground } from '@/lib/loading';
import { clearDot, unreadQuery } from '@/lib/notifications';
import { NAV_DOT, NAV_ICON } from './nav';

const load = () => import('./notifications-panel');
const Panel = lazy(load);

/** The bell of the navbar: a dot while something is unread, and the panel. */
export function NotificationsBell() {
  const t = useTexts(notifications);
  const [open, setOpen] = useState(false);
  const { data: unread = false } = useQuery(unreadQuery);
  const dot = unread && !open;
  const show = () => {
    clearDot();
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
        onPointerEnter={() => inBackground(load())}
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
