import { Link, useLocation } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import type { ReactNode } from 'react';
import { Logo } from '@/components/khata/mark';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { HOME } from '@/lib/redirect';

// The names of keys are the same in every language.
const [DOWN, UP, REJECT] = ['J', 'K', 'R'];

/** The keys of the queue that is shown. */
function KeyHints() {
  const t = useTexts(admin);
  const { pathname } = useLocation();
  const [letter, act] = pathname.startsWith('/admin/withdrawal') ? ['S', t('key.send')] : ['A', t('key.approve')];
  return (
    <p className="m t14 only-wide kbdhint">
      <span className="sr">{t('keys', { letter, act })}</span>
      <span aria-hidden="true">
        <kbd>{DOWN}</kbd>
        <kbd>{UP}</kbd> {t('key.move')} <kbd>{letter}</kbd> {act} <kbd>{REJECT}</kbd> {t('key.reject')}
      </span>
    </p>
  );
}

/** The header of the admin area. `menu` is the profile menu. */
export function AdminHeader({ menu, onOpenMenu }: { menu: ReactNode; onOpenMenu: () => void }) {
  const t = useTexts(admin);
  return (
    <header className="top top--app topadmin">
      <div className="wrap wrap--full top__in">
        <button
          type="button"
          className="btn btn--quiet btn--icon only-narrow-f"
          aria-label={t('openMenu')}
          aria-keyshortcuts="Control+B Meta+B"
          onClick={onOpenMenu}
        >
          <Menu aria-hidden="true" />
        </button>
        <Link to={HOME} className="logo">
          <Logo />
        </Link>
        <span className="tag">{t('area')}</span>
        <div className="nav">
          <KeyHints />
          {menu}
        </div>
      </div>
    </header>
  );
}
