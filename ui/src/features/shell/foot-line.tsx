import { Link, useLocation } from '@tanstack/react-router';
import { CONTAINER } from '@/components/classes';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { cn } from '@/lib/cn';
import { WITHOUT_FOOTER } from './navbar/nav';
import { LanguageSwitch } from './navbar/switches';

/** The footer of members, whose other links are in their menu. */
export function FootLine() {
  const t = useTexts(shell);
  const { pathname } = useLocation();
  if (WITHOUT_FOOTER.test(pathname)) return null;
  return (
    <footer className="border-t">
      <nav
        className={cn(
          CONTAINER,
          'flex flex-wrap gap-x-3 text-sm text-muted-foreground *:inline-flex *:min-h-11 *:items-center *:not-hover:no-underline sm:gap-x-4',
        )}
        aria-label={t('help')}
      >
        <Link to="/support">{t('help')}</Link>
        <Link to="/aboutus">{t('about')}</Link>
        <Link to="/terms">{t('terms')}</Link>
        <Link to="/privacy">{t('privacy')}</Link>
        <LanguageSwitch className="hover:underline" />
      </nav>
    </footer>
  );
}
