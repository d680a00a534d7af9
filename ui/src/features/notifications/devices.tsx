import type { PushDevice } from '@/api/contract';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { useBrowserName } from '@/entities/user/use-browser-name';
import { useFocusNext } from '@/hooks/use-focus-next';
import { useTexts } from '@/i18n';
import { browser } from '@/i18n/en/browser';
import { common } from '@/i18n/en/common';
import { notificationSettings } from '@/i18n/en/notification-settings';
import { formatTime } from '@/lib/time';
import { useRemoveDevice } from './use-push';

function DeviceLine({ device, remove }: { device: PushDevice; remove: ReturnType<typeof useRemoveDevice> }) {
  const t = useTexts(notificationSettings);
  const tCommon = useTexts(common);
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
        pendingText={tCommon('sending')}
        aria-label={`${t('remove')}: ${t('removeOf', { browser: name, when: added })}`}
        onClick={() => remove.mutate(device)}
      >
        {t('remove')}
      </PendingButton>
    </li>
  );
}

export function Devices({ devices }: { devices: readonly PushDevice[] }) {
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
