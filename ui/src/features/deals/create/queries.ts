import { queryOptions } from '@tanstack/react-query';
import { api, send } from '@/lib/api';

/** Users whose name contains the text; never oneself. */
export function userSearchQuery(text: string) {
  return queryOptions({
    queryKey: ['users', 'search', text] as const,
    queryFn: ({ signal }) => send(api.GET('/wallet/search', { params: { query: { query: text } }, signal })),
    staleTime: 30_000,
    // A person is waiting with the next letter: failing at once beats trying for seconds.
    retry: false,
  });
}
