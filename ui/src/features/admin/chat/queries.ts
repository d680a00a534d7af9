import { infiniteQueryOptions } from '@tanstack/react-query';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { api, send } from '@/lib/api';

/** Each request is recorded in the audit log, so nothing is refetched or cached. */
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
    // Not even when everything is invalidated.
    staleTime: 'static',
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
    meta: { quiet: true },
  });
