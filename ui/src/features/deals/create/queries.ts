import { queryOptions } from '@tanstack/react-query';
import { api, send } from '@/lib/api';

/** Users whose name contains the text, except the reader. */
export function userSearchQuery(text: string) {
  return queryOptions({
    queryKey: ['users', 'search', text] as const,
    queryFn: ({ signal }) => send(api.GET('/wallet/search', { params: { query: { query: text } }, signal })),
    staleTime: 30_000,
    // The user is typing: failing at once beats retrying for seconds.
    retry: false,
  });
}
