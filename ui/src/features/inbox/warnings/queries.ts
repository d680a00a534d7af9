import { queryOptions } from '@tanstack/react-query';
import { api, send } from '@/lib/api';

/** The words that get a warning. Phone numbers and payment links need none. */
export const chatWarningsQuery = queryOptions({
  queryKey: ['chat-warnings'] as const,
  queryFn: ({ signal }) => send(api.GET('/public/chat-warnings', { signal })),
  staleTime: 60 * 60_000,
  meta: { quiet: true },
});
