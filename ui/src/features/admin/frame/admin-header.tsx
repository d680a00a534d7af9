import { useLocation } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import type { ReactNode } from 'react';
import { NAV_LINE } from '@/components/classes';
import { Logo } from '@/components/logo';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { HOME } from '@/lib/redirect';
import { shortcutsOf } from '../shortcuts/shortcuts';
import { useShortcutsOn } from '../shortcuts/shortcuts-setting';

function KeyHints() {
  const t = useTexts(admin);
  const { pathname } = useLocation();
  const on = useShortcutsOn();
  const known = shortcutsOf(pathname);
  if (!on || known.length === 0) return null;
  return (
    <p className="mr-3 text-sm whitespace-nowrap text-muted-foreground max-md:hidden [@media(hover:none)]:hidden">
      <span className="sr-only">{t('keys')}</span>
      {known.map(({ letters, does }) => (
        <span key={letters.join()} className="ml-1.5">
          {letters.map((letter) => (
            <Kbd key={letter}>{letter}</Kbd>
          ))}{' '}
          {t(does)}{' '}
        </span>
      ))}
    </p>
  );
}

export function AdminHeader({ menu, onOpenMenu }: { menu: ReactNode; onOpenMenu: () => void }) {
  const t = useTexts(admin);
  return (
    <header className="relative z-20 border-b bg-background max-md:pt-2">
      <div className={`${NAV_LINE} px-5`}>
        <Button
          variant="ghost"
          size="icon"
          className="-ml-2 min-[1200px]:hidden"
          aria-label={t('openMenu')}
          aria-keyshortcuts="Control+B Meta+B"
          onClick={onOpenMenu}
        >
          <Menu aria-hidden="true" />
        </Button>
        <Logo to={HOME} className="max-md:hidden" />
        <span className="inline-flex items-center gap-1 rounded-xs bg-secondary px-2.5 py-1 text-sm">{t('area')}</span>
        <div className="ml-auto flex items-center md:gap-1">
          <KeyHints />
          {menu}
        </div>
      </div>
    </header>
  );
}
