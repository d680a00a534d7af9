import { queryOptions } from '@tanstack/react-query';
import { api, send } from '@/lib/api';

/** The signed-in user with what only he sees. */
export const accountQuery = queryOptions({
  queryKey: ['account'] as const,
  queryFn: ({ signal }) => send(api.GET('/auth/me', { signal })),
  meta: { quiet: true },
});
