import { queryOptions } from '@tanstack/react-query';
import { api, send } from '@/lib/api';

/** The signed-in user with their private data. */
export const accountQuery = queryOptions({
  queryKey: ['account'] as const,
  queryFn: ({ signal }) => send(api.GET('/auth/me', { signal })),
  meta: { quiet: true },
});
