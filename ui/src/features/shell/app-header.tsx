import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Handshake, Search } from 'lucide-react';
import { Logo } from '@/components/khata/mark';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { centsFromWire, usd } from '@/lib/money';
import { useMe } from '@/lib/queries';
import { HOME } from '@/lib/redirect';
import { walletQuery } from '@/lib/wallet';
import { MessagesMenu } from './messages-menu';
import { NotificationsBell } from './notifications-bell';
import { ProfileMenu } from './profile-menu';
import { SkipLink } from './switches';

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
      <header className="top top--app max-[769px]:group-has-[>*>[data-fill=alone]]/shell:hidden">
        <div className="wrap top__in">
          <Link to={HOME} className="logo">
            <Logo />
          </Link>
          <nav className="nav" aria-label={t('main')}>
            <Link to="/explore" className="only-wide">
              {t('explore')}
            </Link>
            {me.isAdmin ? (
              <Link to="/admin/deposit" className="only-wide">
                {t('admin')}
              </Link>
            ) : null}
            <Link to="/deal" className="only-wide">
              {t('deals')}
            </Link>
            <Link to="/balance" className="only-wide" aria-label={t('balanceIs', { sum: balance })}>
              <span className="cash">{balance}</span>
            </Link>
            <Link to="/explore" className="nav__icon only-narrow" aria-label={t('explore')}>
              <Search aria-hidden="true" />
            </Link>
            <NotificationsBell />
            <MessagesMenu />
            <Link to="/deal" className="nav__icon only-narrow" aria-label={t('deals')}>
              <Handshake aria-hidden="true" />
            </Link>
            <ProfileMenu />
          </nav>
        </div>
      </header>
    </>
  );
}
