import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { STACK } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { Page } from '@/components/page';
import { buttonVariants } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { cn } from '@/lib/cn';
import { SecondFactor } from './second-factor';
import { Sessions } from './sessions';

// Their rules and drafts are two fifths of the page's code.
const PasswordForm = lazyPart(() => import('./password-form'));
const Activity = lazyPart(() => import('./activity'));
const EmailSetting = lazyPart(() => import('./email-setting'));
const OwnData = lazyPart(() => import('./own-data'));

export function SecurityPage() {
  const t = useTexts(security);
  return (
    <Page title={t('title')}>
      <div className="mb-8">
        <div className="flex min-w-0 flex-wrap items-center justify-between gap-3">
          <h1 className="font-display text-display-lg">{t('title')}</h1>
          <Link to="/profile" className={buttonVariants({ variant: 'link' })}>
            {t('toProfile')}
          </Link>
        </div>
        <p className="mt-1 text-muted-foreground">{t('lede')}</p>
      </div>
      <div className="grid gap-12 lg:grid-cols-2 lg:items-start">
        <div className={cn(STACK, 'gap-12')}>
          <SecondFactor />
          <Suspense fallback={<Skeleton className="h-88" />}>
            <Activity />
          </Suspense>
        </div>
        <div className={cn(STACK, 'gap-12')}>
          <Suspense fallback={<Skeleton className="h-34" />}>
            <EmailSetting />
          </Suspense>
          <Suspense fallback={<Skeleton className="h-88" />}>
            <PasswordForm />
          </Suspense>
          <Sessions />
        </div>
      </div>
      <Suspense fallback={<Skeleton className="mt-12 h-100" />}>
        <OwnData />
      </Suspense>
    </Page>
  );
}
