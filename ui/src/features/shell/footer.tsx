import { Link, useLocation } from '@tanstack/react-router';
import { Logo } from '@/components/khata/mark';
import { buttonVariants } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { cn } from '@/lib/cn';
import { useMaybeMe } from '@/lib/queries';
import { HOME } from '@/lib/redirect';
import { LanguageSwitch, ThemeSwitch } from './switches';

const WITHOUT_FOOTER = /^\/(?:inbox|deal|admin)/;

/** The back cover: whole under the landing page, its lower part elsewhere. Hidden on paths that begin with inbox, deal or admin. */
export function Footer() {
  const t = useTexts(shell);
  const me = useMaybeMe();
  const { pathname } = useLocation();
  if (WITHOUT_FOOTER.test(pathname)) return null;
  const whole = pathname === '/';
  return (
    <footer className={cn('cloth foot', !whole && 'foot--small')}>
      <div className="wrap">
        {whole ? (
          <>
            <div className="foot__top">
              <p className="d40">{t('held')}</p>
              <Link className={buttonVariants({ variant: 'inverse' })} to="/signup">
                {t('start')}
              </Link>
            </div>
            <div className="seam" />
          </>
        ) : null}
        <div className="foot__cols">
          <div>
            <Link className="logo logo--cloth" to={me ? HOME : '/'}>
              <Logo />
            </Link>
            <p className="m2 t14">{t('neutral')}</p>
          </div>
          <nav aria-label={t('company')}>
            <b className="b">{t('company')}</b>
            <Link to="/aboutus">{t('about')}</Link>
            <Link to="/ourleaders">{t('leaders')}</Link>
            <Link to="/papers">{t('papers')}</Link>
            <Link to="/contactus">{t('contact')}</Link>
          </nav>
          <nav aria-label={t('help')}>
            <b className="b">{t('help')}</b>
            <Link to="/reportabug">{t('reportBug')}</Link>
            <Link to="/terms">{t('terms')}</Link>
            <Link to="/privacy">{t('privacy')}</Link>
            <Link to="/explore">{t('marketplace')}</Link>
          </nav>
          <div>
            <b className="b">{t('payment')}</b>
            <p className="m2">{t('paymentMethods')}</p>
          </div>
          <div className="foot__switches">
            <b className="b">{t('display')}</b>
            <LanguageSwitch icon />
            <ThemeSwitch named />
          </div>
        </div>
      </div>
    </footer>
  );
}
