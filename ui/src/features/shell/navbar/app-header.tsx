import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Handshake, House, MessageSquareText, Search, Store, UserRound } from 'lucide-react';
import { CASH, CONTAINER, NAV_LINE } from '@/components/classes';
import { LazyMenu } from '@/components/lazy-menu';
import { Logo } from '@/components/logo';
import { unreadMessagesQuery } from '@/entities/chat/queries';
import { useMe } from '@/entities/user/queries';
import { walletQuery } from '@/entities/wallet/queries';
import { useKeyboardOpen, useMinWidth } from '@/hooks/use-browser';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { shell } from '@/i18n/en/shell';
import { member } from '@/i18n/en/user';
import { cn } from '@/lib/cn';
import { centsFromWire, usd } from '@/lib/money';
import { HOME } from '@/lib/redirect';
import { NotificationsBell } from '../notifications/notifications-bell';
import { NAV_DOT, NAV_ICON, NAV_ITEM } from './nav';
import { loadProfileMenu, ProfileMenu } from './profile-menu';
import { SkipLink } from './switches';

const ITEM =
  'relative grid min-h-14 w-full content-center justify-items-center gap-0.5 text-xs leading-tight text-muted-foreground no-underline aria-[current=page]:font-semibold aria-[current=page]:text-foreground aria-[current=page]:shadow-[inset_0_3px_0_var(--foreground)]';
const DOT = 'absolute top-1.5 left-[calc(50%+8px)] size-2.25 rounded-full bg-pen ring-2 ring-background';

/** For phones. Hidden by a page's own bar, a conversation or the keyboard. */
function BottomBar() {
  const t = useTexts(member);
  const { data: unread = false } = useQuery(unreadMessagesQuery);
  const typing = useKeyboardOpen();
  return (
    <nav
      data-slot="bottom-bar"
      className={cn(
        'fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-border-strong bg-background pb-[env(safe-area-inset-bottom)] group-has-[[data-bottom-bar],[data-fill=alone]]/shell:hidden',
        typing && 'hidden',
      )}
      aria-label={t('places')}
    >
      <Link to="/explore" className={ITEM}>
        <Store aria-hidden="true" />
        {t('market')}
      </Link>
      <Link to="/deal" className={ITEM}>
        <Handshake aria-hidden="true" />
        {t('deals')}
      </Link>
      <Link to={HOME} className={ITEM}>
        <House aria-hidden="true" />
        {t('home')}
      </Link>
      <Link to="/inbox" className={ITEM} aria-label={unread ? t('chatUnread') : undefined}>
        <MessageSquareText aria-hidden="true" />
        {unread ? <span className={DOT} /> : null}
        {t('chat')}
      </Link>
      <LazyMenu load={loadProfileMenu} menu={{ phone: true }} className={ITEM} aria-label={t('meMenu')}>
        <UserRound aria-hidden="true" />
        {t('me')}
      </LazyMenu>
    </nav>
  );
}

const load = () => import('./messages-menu-content');

function MessagesMenu() {
  const t = useTexts(chat);
  const { data: unread = false } = useQuery(unreadMessagesQuery);
  return (
    <LazyMenu load={load} className={NAV_ICON} aria-label={t(unread ? 'menuUnread' : 'menu')}>
      <MessageSquareText aria-hidden="true" />
      {unread ? <span className={NAV_DOT} /> : null}
    </LazyMenu>
  );
}

/** Wider windows have room for all links; others have a bottom bar. */
const WIDE_FROM = 768;

/** The balance; until it is loaded, the session's. */
function useBalance(): string {
  const me = useMe();
  const { data } = useQuery(walletQuery);
  return usd(centsFromWire(data?.wallet ?? me.wallet));
}

function Places({ balance }: { balance: string }) {
  const t = useTexts(member);
  const me = useMe();
  return (
    <>
      <Link to="/explore" className={NAV_ITEM}>
        {t('explore')}
      </Link>
      {me.isAdmin ? (
        <Link to="/admin/deposit" className={NAV_ITEM}>
          {t('admin')}
        </Link>
      ) : null}
      <Link to="/deal" className={NAV_ITEM}>
        {t('deals')}
      </Link>
      <Link to="/balance" className={NAV_ITEM} aria-label={t('balanceIs', { sum: balance })}>
        <span className={CASH}>{balance}</span>
      </Link>
      <NotificationsBell />
      <MessagesMenu />
      <ProfileMenu />
    </>
  );
}

export function AppHeader() {
  const t = useTexts(member);
  const tShell = useTexts(shell);
  const balance = useBalance();
  const wide = useMinWidth(WIDE_FROM);
  return (
    <>
      <SkipLink />
      <header className="relative z-20 border-b bg-background max-[769px]:group-has-[>*>[data-fill=alone]]/shell:hidden max-md:pt-2">
        <div className={`${CONTAINER} ${NAV_LINE}`}>
          <Logo to={HOME} />
          <nav className="ml-auto flex items-center md:gap-1" aria-label={tShell('main')}>
            {wide ? (
              <Places balance={balance} />
            ) : (
              <>
                <Link to="/explore" className={NAV_ICON} aria-label={t('explore')}>
                  <Search aria-hidden="true" />
                </Link>
                <NotificationsBell />
              </>
            )}
          </nav>
        </div>
      </header>
      {wide ? null : <BottomBar />}
    </>
  );
}
