import { useQuery } from '@tanstack/react-query';
import { Suspense, useSyncExternalStore } from 'react';
import type { NotificationSettings, PushDevice } from '@/api/contract';
import { STACK } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { Note } from '@/components/note';
import { Page } from '@/components/page';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { isIos, pushState } from '@/entities/notification/push';
import { useBrowserName } from '@/entities/user/browser-name';
import { SettingsHead } from '@/entities/user/settings-head';
import { useFocusNext } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { notificationSettings } from '@/i18n/en/notifications';
import { browser } from '@/i18n/en/user';
import { cn } from '@/lib/cn';
import { formatTime } from '@/lib/time';
import { notificationSettingsQuery, useRemoveDevice, useTestPush, useTurnOn } from './queries';

function DeviceLine({ device, remove }: { device: PushDevice; remove: ReturnType<typeof useRemoveDevice> }) {
  const t = useTexts(notificationSettings);
  const tBrowser = useTexts(browser);
  const button = useFocusNext();
  const name = useBrowserName(device.userAgent) ?? tBrowser('unknown');
  const added = t('added', { when: formatTime(device.createdAt, 'moment') });
  const used = device.lastUsedAt ? t('lastUsed', { when: formatTime(device.lastUsedAt, 'moment') }) : t('neverUsed');
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b py-3 wrap-anywhere">
      <div className="flex-[1_1_200px]">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <b className="font-semibold">{name}</b>
          {device.current ? <span className="rounded-xs bg-secondary px-2 py-0.5 text-sm">{t('thisDevice')}</span> : null}
        </p>
        <p className="text-sm text-muted-foreground">
          {added} · {used}
        </p>
      </div>
      <PendingButton
        ref={button}
        variant="outline"
        pending={remove.isPending && remove.variables._id === device._id}
        aria-label={`${t('remove')}: ${t('removeOf', { browser: name, when: added })}`}
        onClick={() => remove.mutate(device)}
      >
        {t('remove')}
      </PendingButton>
    </li>
  );
}

function Devices({ devices }: { devices: readonly PushDevice[] }) {
  const t = useTexts(notificationSettings);
  const remove = useRemoveDevice('removed');
  return (
    <Section title={t('devices')}>
      {devices.length > 0 ? (
        <ul>
          {devices.map((device) => (
            <DeviceLine key={device._id} device={device} remove={remove} />
          ))}
        </ul>
      ) : (
        <p className="text-muted-foreground">{t('noDevices')}</p>
      )}
    </Section>
  );
}

const OBSTACLES = { missing: 'missing', install: 'installFirst', blocked: 'blocked' } as const;

function Off({ publicKey }: { publicKey: string }) {
  const t = useTexts(notificationSettings);
  const turnOn = useTurnOn();
  return (
    <>
      <p>{t('hereOff')}</p>
      <PendingButton className="mt-4" pending={turnOn.isPending} onClick={() => turnOn.mutate(publicKey)}>
        {t('turnOn')}
      </PendingButton>
    </>
  );
}

function On({ device }: { device: NotificationSettings['devices'][number] }) {
  const t = useTexts(notificationSettings);
  const test = useTestPush();
  const remove = useRemoveDevice('turnedOff');
  return (
    <>
      <p>{t('hereOn')}</p>
      <div className="mt-4 flex min-w-0 flex-wrap gap-3">
        <PendingButton pending={test.isPending} onClick={() => test.mutate()}>
          {t('test')}
        </PendingButton>
        <PendingButton variant="outline" pending={remove.isPending} onClick={() => remove.mutate(device)}>
          {t('turnOff')}
        </PendingButton>
      </div>
    </>
  );
}

function ThisDevice({ settings: { publicKey, devices } }: { settings: NotificationSettings }) {
  const t = useTexts(notificationSettings);
  const state = pushState();
  const device = devices.find(({ current }) => current);
  const obstacle = publicKey === null ? 'unavailable' : state === 'ready' ? null : OBSTACLES[state];
  return (
    <Section title={t('here')}>
      {obstacle ? <Note kind="info">{t(obstacle)}</Note> : device ? <On device={device} /> : <Off publicKey={publicKey ?? ''} />}
    </Section>
  );
}

/** The browser's install prompt, which can be used once. */
type InstallOffer = Event & { prompt: () => Promise<unknown> };

declare global {
  interface Window {
    /** public/theme.js stores it here until it is used. */
    installOffer?: InstallOffer | undefined;
  }
}

const TAKEN = 'install-offer-taken';
const CHANGES = ['beforeinstallprompt', 'appinstalled', TAKEN];

function subscribe(listener: () => void): () => void {
  for (const type of CHANGES) window.addEventListener(type, listener);
  return () => {
    for (const type of CHANGES) window.removeEventListener(type, listener);
  };
}

/** Reports whether the page runs as an installed app; Safari on iOS has its own property. */
const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true;

function useInstall(): (() => void) | null {
  const offer = useSyncExternalStore(subscribe, () => window.installOffer);
  if (!offer) return null;
  return () => {
    window.installOffer = undefined;
    window.dispatchEvent(new Event(TAKEN));
    // The browser makes another offer later.
    offer.prompt().catch(() => undefined);
  };
}

function Install() {
  const t = useTexts(notificationSettings);
  const install = useInstall();
  if (isInstalled()) {
    return (
      <Section title={t('install')}>
        <p className="text-muted-foreground">{t('installed')}</p>
      </Section>
    );
  }
  return (
    <Section title={t('install')}>
      <p className="text-muted-foreground">{t('installText')}</p>
      {install ? (
        <Button variant="outline" className="mt-4" onClick={install}>
          {t('installNow')}
        </Button>
      ) : (
        <p className="mt-2 text-sm text-muted-foreground">{t(isIos() ? 'installIos' : 'installMenu')}</p>
      )}
    </Section>
  );
}

// The form's rules and drafts are most of the page's code.
const SettingsForm = lazyPart(() => import('./settings-form'));

function Settings({ settings }: { settings?: NotificationSettings }) {
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
  return (
    <Page title={t('title')}>
      <SettingsHead />
      <QueryPart query={useQuery(notificationSettingsQuery)} failure={t('failed')} skeleton={<Settings />}>
        {(settings) => <Settings settings={settings} />}
      </QueryPart>
    </Page>
  );
}
