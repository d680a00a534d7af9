import type { NotificationSettings } from '@/api/contract';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { pushState } from '@/entities/notification/push';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { notificationSettings } from '@/i18n/en/notification-settings';
import { useRemoveDevice, useTestPush, useTurnOn } from './use-push';

const OBSTACLES = { missing: 'missing', install: 'installFirst', blocked: 'blocked' } as const;

function Off({ publicKey }: { publicKey: string }) {
  const t = useTexts(notificationSettings);
  const tCommon = useTexts(common);
  const turnOn = useTurnOn();
  return (
    <>
      <p>{t('hereOff')}</p>
      <PendingButton
        className="mt-4"
        pending={turnOn.isPending}
        pendingText={tCommon('sending')}
        onClick={() => turnOn.mutate(publicKey)}
      >
        {t('turnOn')}
      </PendingButton>
    </>
  );
}

function On({ device }: { device: NotificationSettings['devices'][number] }) {
  const t = useTexts(notificationSettings);
  const tCommon = useTexts(common);
  const test = useTestPush();
  const remove = useRemoveDevice('turnedOff');
  return (
    <>
      <p>{t('hereOn')}</p>
      <div className="mt-4 flex min-w-0 flex-wrap gap-3">
        <PendingButton pending={test.isPending} pendingText={tCommon('sending')} onClick={() => test.mutate()}>
          {t('test')}
        </PendingButton>
        <PendingButton
          variant="outline"
          pending={remove.isPending}
          pendingText={tCommon('sending')}
          onClick={() => remove.mutate(device)}
        >
          {t('turnOff')}
        </PendingButton>
      </div>
    </>
  );
}

export function ThisDevice({ settings: { publicKey, devices } }: { settings: NotificationSettings }) {
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
