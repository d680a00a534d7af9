import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { NotificationSettings } from '@/api/contract';
import { STACK } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { LoadFailed } from '@/components/load-failed';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { buttonVariants } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { notificationSettings } from '@/i18n/en/notification-settings';
import { cn } from '@/lib/cn';
import { Devices } from './devices';
import { Install } from './install';
import { notificationSettingsQuery } from './queries';
import { ThisDevice } from './this-device';

// The form's rules and drafts are most of the page's code.
const SettingsForm = lazyPart(() => import('./settings-form'));

function Settings({ settings }: { settings: NotificationSettings | undefined }) {
  const t = useTexts(notificationSettings);
  return (
    <div className="grid gap-12 lg:grid-cols-2 lg:items-start">
      <Section title={t('what')}>
        <Suspense fallback={<Skeleton className="h-160" />}>
          {settings ? <SettingsForm settings={settings} /> : <Skeleton className="h-160" />}
        </Suspense>
      </Section>
      <div className={cn(STACK, 'gap-12')}>
        {settings ? (
          <>
            <ThisDevice settings={settings} />
            <Devices devices={settings.devices} />
          </>
        ) : (
          <>
            <Skeleton className="h-40" />
            <Skeleton className="h-40" />
          </>
        )}
        <Install />
      </div>
    </div>
  );
}

/** /notifications: notifications while no page is open: which, how, and on which devices. */
export function NotificationSettingsPage() {
  const t = useTexts(notificationSettings);
  const settings = useQuery(notificationSettingsQuery);
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
      {settings.isError && !settings.data ? (
        <LoadFailed
          error={settings.error}
          fallback={t('failed')}
          busy={settings.isFetching}
          onRetry={() => void settings.refetch()}
        />
      ) : (
        <Settings settings={settings.data} />
      )}
    </Page>
  );
}
