import { Link, useLocation } from '@tanstack/react-router';
import { CLOTH, CONTAINER, STITCHED } from '@/components/classes';
import { Logo } from '@/components/logo';
import { buttonVariants } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { cn } from '@/lib/cn';
import { WITHOUT_FOOTER } from './navbar/nav';
import { LanguageSwitch, ThemeSwitch } from './navbar/switches';

const LINKS = 'grid content-start [&_a]:inline-flex [&_a]:min-h-11 [&_a]:w-max [&_a]:items-center [&_a:not(:hover)]:no-underline';

/** Of visitors; members have a line. */
export function Footer() {
  const t = useTexts(shell);
  const { pathname } = useLocation();
  if (WITHOUT_FOOTER.test(pathname)) return null;
  const whole = pathname === '/';
  return (
    <footer className={cn(CLOTH, STITCHED, whole ? 'mt-24 pt-14 pb-10' : 'mt-12 pt-4 pb-8')}>
      <div className={CONTAINER}>
        {whole ? (
          <>
            <div className="mb-10 flex flex-wrap items-center justify-between gap-6">
              <p className="font-display text-display-lg">{t('held')}</p>
              <Link className={buttonVariants({ variant: 'inverse' })} to="/signup">
                {t('start')}
              </Link>
            </div>
            <div className="h-0.5 bg-stitch-x text-thread" />
          </>
        ) : null}
        <div
          className={cn(
            'grid grid-cols-[1fr_1fr] gap-x-4 gap-y-7 md:grid-cols-[repeat(4,1fr)] lg:grid-cols-[1.6fr_repeat(4,1fr)]',
            whole ? 'pt-7' : 'pt-4',
          )}
        >
          <div className="col-span-full lg:col-auto">
            <Logo cloth to="/" />
            <p className="mt-2 max-w-[30ch] text-sm text-seal-muted-foreground">{t('neutral')}</p>
          </div>
          <nav className={LINKS} aria-label={t('company')}>
            <b className="font-semibold">{t('company')}</b>
            <Link to="/aboutus">{t('about')}</Link>
            <Link to="/ourleaders">{t('leaders')}</Link>
            <Link to="/papers">{t('papers')}</Link>
            <Link to="/contactus">{t('contact')}</Link>
          </nav>
          <nav className={LINKS} aria-label={t('help')}>
            <b className="font-semibold">{t('help')}</b>
            <Link to="/reportabug">{t('reportBug')}</Link>
            <Link to="/terms">{t('terms')}</Link>
            <Link to="/privacy">{t('privacy')}</Link>
            <Link to="/explore">{t('marketplace')}</Link>
          </nav>
          <div>
            <b className="font-semibold">{t('payment')}</b>
            <p className="text-seal-muted-foreground">{t('paymentMethods')}</p>
          </div>
          <div className="grid content-start justify-items-start [&_button]:inline-flex [&_button]:min-h-11 [&_button]:items-center [&_button]:gap-2 [&_button:hover]:underline">
            <b className="font-semibold">{t('display')}</b>
            <LanguageSwitch icon />
            <ThemeSwitch named />
          </div>
        </div>
      </div>
    </footer>
  );
}
