import { Link, useLocation } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import type { ReactNode } from 'react';
import { Logo } from '@/components/khata/mark';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { HOME } from '@/lib/redirect';
import { keysOf } from './key-list';
import { useKeysOn } from './keys-setting';

/** The keys of the queue that is shown, unless they are switched off. */
function KeyHints() {
  const t = useTexts(admin);
  const { pathname } = useLocation();
  const on = useKeysOn();
  const known = keysOf(pathname);
  if (!on || known.length === 0) return null;
  return (
    <p className="m t14 only-wide kbdhint">
      <span className="sr">{t('keys')}</span>
      {known.map(({ letters, does }) => (
        <span key={letters.join()}>
          {letters.map((letter) => (
            <kbd key={letter}>{letter}</kbd>
          ))}{' '}
          {t(does)}{' '}
        </span>
      ))}
    </p>
  );
}

/** The header of the admin area. `menu` is the profile menu. */
export function AdminHeader({ menu, onOpenMenu }: { menu: ReactNode; onOpenMenu: () => void }) {
  const t = useTexts(admin);
  return (
    <header className="top top--app">
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
