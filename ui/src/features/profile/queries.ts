import { queryOptions } from '@tanstack/react-query';
import { api, send } from '@/lib/api';

/** The signed-in user with what only he sees. */
export const accountQuery = queryOptions({
  queryKey: ['account'] as const,
  queryFn: ({ signal }) => send(api.GET('/auth/me', { signal })),
  meta: { quiet: true },
});

/** Where the user is signed in, the session used last first. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'] as const,
  queryFn: ({ signal }) => send(api.GET('/auth/sessions', { signal })),
  meta: { quiet: true },
});
