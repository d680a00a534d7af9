import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { NotificationSettings, PushDevice } from '@/api/contract';
import { dropPush, PushDeclined, turnOnPush } from '@/entities/notification/push';
import { useMe } from '@/entities/user/queries';
import { translate } from '@/i18n';
import { notificationSettings } from '@/i18n/en/notifications';
import { api, send } from '@/lib/api';
import { ApiError, errorText, isApiError } from '@/lib/errors';
import { outcomeText } from '@/lib/outcomes';
import { notify } from '@/lib/toast';

export const notificationSettingsQuery = queryOptions({
  queryKey: ['account', 'notification-settings'],
  queryFn: ({ signal }) => send(api.GET('/notifications/settings', { signal })),
  meta: { quiet: true },
});

type Saying = 'turnedOn' | 'turnedOff' | 'removed' | 'saveFailed' | 'removeFailed';
const say = (key: Saying) => () => translate(notificationSettings, key);

function changeDevices(queryClient: QueryClient, change: (devices: PushDevice[]) => PushDevice[]): void {
  queryClient.setQueryData<NotificationSettings>(
    notificationSettingsQuery.queryKey,
    (settings) => settings && { ...settings, devices: change(settings.devices) },
  );
}

function failureText(error: unknown): string {
  if (error instanceof ApiError) return errorText(error);
  return translate(notificationSettings, error instanceof PushDeclined ? 'turnOn.declined' : 'turnOn.failed');
}

export function useTurnOn() {
  const queryClient = useQueryClient();
  const me = useMe();
  return useMutation({
    mutationFn: (publicKey: string) => turnOnPush(publicKey, me._id),
    meta: { success: say('turnedOn'), quiet: true },
    onSuccess: (device) =>
      changeDevices(queryClient, (devices) => [device, ...devices.filter(({ _id, current }) => _id !== device._id && !current)]),
    onError: (error) => notify.error(failureText(error)),
  });
}

/** Ends a device's pushes, for this device also in the browser. `saying` is the toast. */
export function useRemoveDevice(saying: 'turnedOff' | 'removed') {
  const queryClient = useQueryClient();
  const forget = ({ _id }: PushDevice) => changeDevices(queryClient, (devices) => devices.filter((device) => device._id !== _id));
  return useMutation({
    mutationFn: async ({ _id, current }: PushDevice) => {
      const done = await send(api.DELETE('/push/subscriptions/{id}', { params: { path: { id: _id } } }));
      // The server sends nothing any more, so a failure of the browser does not matter.
      if (current) await dropPush().catch(() => undefined);
      return done;
    },
    meta: { success: say(saying), fallback: say('removeFailed') },
    onSuccess: (_done, device) => forget(device),
    // Removed meanwhile, elsewhere.
    onError: (error, device) => (isApiError(error, 'not_found') ? forget(device) : undefined),
  });
}

export function useTestPush() {
  return useMutation({
    mutationFn: () => send(api.POST('/push/test')),
    meta: { success: (done) => outcomeText(done, translate(notificationSettings, 'tested')), fallback: say('saveFailed') },
  });
}
