import { infiniteQueryOptions } from '@tanstack/react-query';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { api, send } from '@/lib/api';

/**
 * The messages of two people with each other, newest page first, oldest to newest inside each. Each page that is asked for is a look that goes
 * into the audit log, so nothing is asked for by itself: not again on focus, and nothing is kept for later.
 */
export const inspectedQuery = (one: string, other: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'inspected', one, other],
    queryFn: ({ pageParam, signal }) =>
      withConfirmation(() =>
        send(
          api.GET('/admin/messages/by-users/{userId1}/{userId2}', {
            params: { path: { userId1: one, userId2: other }, query: pageParam === null ? {} : { before: pageParam } },
            signal,
          }),
        ),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
    // Not even when everything on the page is asked for again.
    staleTime: 'static',
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
    meta: { quiet: true },
  });
