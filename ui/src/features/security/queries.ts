import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';

/** Where the user is logged in, the session used last first. */
export const sessionsQuery = queryOptions({
  queryKey: keys.sessions,
  queryFn: ({ signal }) => send(api.GET('/auth/sessions', { signal })),
  meta: { quiet: true },
});

/** What happened to the security of the account, newest first. */
export const activityQuery = queryOptions({
  queryKey: keys.activity,
  queryFn: ({ signal }) => send(api.GET('/auth/activity', { signal })),
  meta: { quiet: true },
});
