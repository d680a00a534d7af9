import { useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { LazyMenu } from '@/components/lazy-menu';
import { unreadMessagesQuery } from '@/entities/chat/queries';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { NAV_DOT, NAV_ICON } from './nav';

const load = () => import('./messages-menu-content');

export function MessagesMenu() {
  const t = useTexts(chat);
  const { data: unread = false } = useQuery(unreadMessagesQuery);
  return (
    <LazyMenu load={load} className={NAV_ICON} aria-label={t(unread ? 'menuUnread' : 'menu')}>
      <MessageSquareText aria-hidden="true" />
      {unread ? <span className={NAV_DOT} /> : null}
    </LazyMenu>
  );
}
