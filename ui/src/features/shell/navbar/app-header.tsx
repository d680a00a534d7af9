import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Handshake, Search } from 'lucide-react';
import { CASH, CONTAINER, NAV_LINE } from '@/components/classes';
import { Logo } from '@/components/logo';
import { useMe } from '@/entities/user/queries';
import { walletQuery } from '@/entities/wallet/queries';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { centsFromWire, usd } from '@/lib/money';
import { HOME } from '@/lib/redirect';
import { NotificationsBell } from '../notifications/notifications-bell';
import { MessagesMenu } from './messages-menu';
import { NAV_ICON, NAV_ITEM } from './nav';
import { ProfileMenu } from './profile-menu';
import { SkipLink } from './switches';

const WIDE = `${NAV_ITEM} max-md:hidden`;
const NARROW = `${NAV_ICON} md:hidden`;

/** The balance as the ledger has it; until it is loaded, the one that came with the session. */
function useBalance(): string {
  const me = useMe();
  const { data } = useQuery(walletQuery);
  return usd(centsFromWire(data?.wallet ?? me.wallet));
}

/** The navbar of signed-in users. */
export function AppHeader() {
  const t = useTexts(shell);
  const me = useMe();
  const balance = useBalance();
  return (
    <>
      <SkipLink />
      <header className="relative z-20 border-b bg-background max-[769px]:group-has-[>*>[data-fill=alone]]/shell:hidden max-md:pt-2">
        <div className={`${CONTAINER} ${NAV_LINE}`}>
          <Logo to={HOME} className="max-md:hidden" />
          <nav className="ml-auto flex items-center md:gap-1" aria-label={t('main')}>
            <Link to="/explore" className={WIDE}>
              {t('explore')}
            </Link>
            {me.isAdmin ? (
              <Link to="/admin/deposit" className={WIDE}>
                {t('admin')}
              </Link>
            ) : null}
            <Link to="/deal" className={WIDE}>
              {t('deals')}
            </Link>
            <Link to="/balance" className={WIDE} aria-label={t('balanceIs', { sum: balance })}>
              <span className={CASH}>{balance}</span>
            </Link>
            <Link to="/explore" className={NARROW} aria-label={t('explore')}>
              <Search aria-hidden="true" />
            </Link>
            <NotificationsBell />
            <MessagesMenu />
            <Link to="/deal" className={NARROW} aria-label={t('deals')}>
              <Handshake aria-hidden="true" />
            </Link>
            <ProfileMenu />
          </nav>
        </div>
      </header>
    </>
  );
}
