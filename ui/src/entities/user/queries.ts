import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';

/** Null for a visitor. Other failures are errors, so that a bad network signs nobody out. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async ({ signal }): Promise<User | null> => {
    try {
      return await send(api.GET('/auth/check', { signal }));
    } catch (error) {
      if (isApiError(error) && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
  // Somebody else may have logged in in another tab.
  refetchOnWindowFocus: 'always',
});

/** The signed-in user, on members' pages. During a logout, the page keeps its user. */
export function useMe(): User {
  const { data } = useQuery(meQuery);
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  const user = data ?? last;
  if (!user) throw new Error('useMe is for pages behind the sign-in');
  return user;
}

/** The signed-in user or null, on public pages. Never fetches. */
export function useMaybeMe(): User | null {
  return useQuery({ ...meQuery, enabled: false }).data ?? null;
}

/** A user's public profile with the newest posts and reviews. */
export const profileQuery = (username: string) =>
  queryOptions({
    queryKey: [...keys.profiles, username.toLowerCase()] as const,
    queryFn: ({ signal }) => send(api.GET('/auth/profile/{username}', { params: { path: { username } }, signal })),
    meta: { quiet: true },
  });

export const accountQuery = queryOptions({
  queryKey: ['account'] as const,
  queryFn: ({ signal }) => send(api.GET('/auth/me', { signal })),
  meta: { quiet: true },
});
