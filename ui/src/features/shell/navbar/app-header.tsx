import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { CASH, CONTAINER, NAV_LINE } from '@/components/classes';
import { Logo } from '@/components/logo';
import { useMe } from '@/entities/user/queries';
import { walletQuery } from '@/entities/wallet/queries';
import { useMinWidth } from '@/hooks/use-min-width';
import { useTexts } from '@/i18n';
import { member } from '@/i18n/en/member';
import { shell } from '@/i18n/en/shell';
import { centsFromWire, usd } from '@/lib/money';
import { HOME } from '@/lib/redirect';
import { NotificationsBell } from '../notifications/notifications-bell';
import { BottomBar } from './bottom-bar';
import { MessagesMenu } from './messages-menu';
import { NAV_ICON, NAV_ITEM } from './nav';
import { ProfileMenu } from './profile-menu';
import { SkipLink } from './switches';

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
      {wide ? null : <BottomBar balance={balance} />}
    </>
  );
}
