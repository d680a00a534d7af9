import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { STAND_IN, STAND_IN_WORDS } from '@/components/classes';
import { buttonVariants } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { AdminMain } from './admin-main';

/** Replaces every admin page until the admin has set up two-step login. */
export function FactorMissing() {
  const t = useTexts(admin);
  return (
    <AdminMain title={t('locked.title')} className={STAND_IN}>
      <div className={STAND_IN_WORDS}>
        <KeyRound className="size-10 text-muted-foreground" aria-hidden="true" />
        <h1 className="font-display text-display-md">{t('locked.title')}</h1>
        <p className="text-muted-foreground">{t('locked.text')}</p>
        <Link to="/security" className={buttonVariants({ className: 'mt-3' })}>
          {t('locked.link')}
        </Link>
      </div>
    </AdminMain>
  );
}
