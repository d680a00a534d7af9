import { queryOptions } from '@tanstack/react-query';
import { api, send } from '@/lib/api';

export const accountQuery = queryOptions({
  queryKey: ['account'] as const,
  queryFn: ({ signal }) => send(api.GET('/auth/me', { signal })),
  meta: { quiet: true },
});
