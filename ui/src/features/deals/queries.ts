import { queryOptions } from '@tanstack/react-query';
import { api, send } from '@/lib/api';
import { keys } from '@/lib/queries';

const IN_FLIGHT_POLL = 5_000;

/** One deal with its timeline. While money is in flight it is asked for again and again, so that the page finishes by itself for both sides. */
export function dealQuery(id: string) {
  return queryOptions({
    queryKey: keys.deal(id),
    queryFn: ({ signal }) => send(api.GET('/deals/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.operation ? IN_FLIGHT_POLL : false),
  });
}

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
