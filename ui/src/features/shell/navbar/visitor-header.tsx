import { Link, useHydrated, useLocation, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { CLOTH, CONTAINER, NAV_LINE, STITCHED } from '@/components/classes';
import { Logo } from '@/components/logo';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { cn } from '@/lib/cn';
import { text } from '@/lib/search-params';
import { NAV_ICON, NAV_ITEM } from './nav';
import { LanguageSwitch, SkipLink, ThemeSwitch } from './switches';

const HEADER = 'relative border-b bg-background max-md:pt-2';

const COMES_BACK = /^\/(?:posts|profile|d)\/[^/]+$/;

/** The page after a login: this one, or the target of the current form. */
function useWayBack(): { redirect?: string | undefined } {
  const { pathname } = useLocation();
  const { redirect } = useSearch({ strict: false });
  const hydrated = useHydrated();
  if (COMES_BACK.test(pathname)) return { redirect: pathname };
  return hydrated ? { redirect: text(redirect) } : {};
}

/** Coloured on the landing page (`cover`), which on a phone has the sign-up button itself. */
export function VisitorHeader({ cover = false }: { cover?: boolean }) {
  const t = useTexts(shell);
  const back = useWayBack();
  const item = cn(NAV_ITEM, cover && 'hover:bg-seal-hover');
  const icon = cn(NAV_ICON, cover && 'hover:bg-seal-hover');
  return (
    <>
      <SkipLink />
      <header data-cover={cover ? '' : undefined} className={cn('z-20', cover ? `overflow-hidden ${CLOTH} ${STITCHED}` : HEADER)}>
        <div className={`${CONTAINER} ${NAV_LINE}`}>
          <Logo to="/" cloth={cover} />
          <nav className="ml-auto flex items-center md:gap-1" aria-label={t('main')}>
            <Link to="/explore" className={cn(item, 'max-md:hidden')}>
              {t('marketplace')}
            </Link>
            <ThemeSwitch className={cn(icon, 'max-md:hidden')} />
            <Link to="/explore" className={cn(icon, 'md:hidden')} aria-label={t('marketplace')}>
              <Search aria-hidden="true" />
            </Link>
            <LanguageSwitch className={item} short />
            <Link to="/login" search={back} className={item}>
              {t('login')}
            </Link>
            <Button
              variant="outline"
              asChild
              className={cn(
                'px-3 font-medium whitespace-nowrap hover:bg-secondary aria-[current=page]:border-foreground aria-[current=page]:font-semibold max-md:ml-1',
                cover
                  ? 'ml-2 border-thread bg-transparent hover:border-thread hover:bg-transparent max-md:hidden'
                  : 'max-[440px]:hidden',
              )}
            >
              <Link to="/signup" search={back}>
                {t('join')}
              </Link>
            </Button>
          </nav>
        </div>
      </header>
    </>
  );
}

export function PlainHeader() {
  return (
    <>
      <SkipLink />
      <header className={`z-20 ${HEADER}`}>
        <div className={`${CONTAINER} ${NAV_LINE}`}>
          <Logo to="/" />
        </div>
      </header>
    </>
  );
}
