import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';

export const notificationSettingsQuery = queryOptions({
  queryKey: keys.notificationSettings,
  queryFn: ({ signal }) => send(api.GET('/notifications/settings', { signal })),
  meta: { quiet: true },
});
