import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Logo } from '@/components/khata/mark';
import { buttonVariants } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { cn } from '@/lib/cn';
import { LanguageSwitch, SkipLink, ThemeSwitch } from './switches';

const JOIN = buttonVariants({
  variant: 'outline',
  className:
    'px-3 font-medium hover:bg-secondary aria-[current=page]:border-foreground aria-[current=page]:font-semibold aria-[current=page]:shadow-none max-md:ml-1',
});

/** The header of visitors; `cover` is its cloth form on the landing page, where the cover itself asks to join on a phone. */
export function VisitorHeader({ cover = false }: { cover?: boolean }) {
  const t = useTexts(shell);
  return (
    <>
      <SkipLink />
      <header className={cn('top', cover ? 'top--cloth cloth cover-page' : 'top--visitor')}>
        <div className="wrap top__in">
          <Link to="/" className={cn('logo', cover && 'logo--cloth')}>
            <Logo />
          </Link>
          <nav className="nav" aria-label={t('main')}>
            <Link to="/explore" className="only-wide">
              {t('marketplace')}
            </Link>
            <ThemeSwitch className="nav__icon only-wide" />
            <Link to="/explore" className="nav__icon only-narrow" aria-label={t('marketplace')}>
              <Search aria-hidden="true" />
            </Link>
            <LanguageSwitch />
            <Link to="/login">{t('login')}</Link>
            <Link to="/signup" className={cn(JOIN, cover && 'on-cloth max-md:hidden')}>
              {t('join')}
            </Link>
          </nav>
        </div>
      </header>
    </>
  );
}

/** Only the logo: where it is not known whether somebody is signed in. */
export function PlainHeader() {
  return (
    <>
      <SkipLink />
      <header className="top">
        <div className="wrap top__in">
          <Link to="/" className="logo">
            <Logo />
          </Link>
        </div>
      </header>
    </>
  );
}
