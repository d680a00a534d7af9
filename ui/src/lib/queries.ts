import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '@/api/contract';
import { api, send, sendList } from './api';
import { isApiError } from './errors';

/** Every query key that more than one part of the product reads or invalidates. */
export const keys = {
  me: ['session', 'me'] as const,
  wallet: ['wallet'] as const,
  rate: ['exchange-rate'] as const,
  deals: ['deals'] as const,
  dealList: ['deals', 'mine'] as const,
  deal: (id: string) => ['deals', 'one', id] as const,
  dealStandings: ['deals', 'standing'] as const,
  dealsBetween: ['deals', 'between'] as const,
  operation: (id: string) => ['operations', id] as const,
  deposits: ['deposits'] as const,
  withdrawals: ['withdrawals'] as const,
  referralStats: ['referral', 'stats'] as const,
  notifications: ['notifications', 'list'] as const,
  unreadNotifications: ['notifications', 'unread'] as const,
  posts: ['posts'] as const,
  profiles: ['profiles'] as const,
  adminDeposits: ['admin', 'deposits'] as const,
  adminWithdrawals: ['admin', 'withdrawals'] as const,
  adminDeals: ['admin', 'deals'] as const,
  adminSupport: ['admin', 'support'] as const,
  adminBugReports: ['admin', 'bug-reports'] as const,
  adminContactMessages: ['admin', 'contact-messages'] as const,
  adminUsers: ['admin', 'users'] as const,
  adminNotifications: ['admin', 'notifications'] as const,
};

/** The signed-in user, or null for a visitor. Any other failure is an error: a broken network signs nobody out. */
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
  // In another tab somebody else may have logged in meanwhile.
  refetchOnWindowFocus: 'always',
});

/** The signed-in user, on pages behind the sign-in. While the user logs out, the page that is still there keeps its user. */
export function useMe(): User {
  const { data } = useQuery(meQuery);
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  const user = data ?? last;
  if (!user) throw new Error('useMe is for pages behind the sign-in');
  return user;
}

/** The signed-in user or null, on pages that everybody sees. Never asks the server by itself. */
export function useMaybeMe(): User | null {
  return useQuery({ ...meQuery, enabled: false }).data ?? null;
}

export const rateQuery = queryOptions({
  queryKey: keys.rate,
  queryFn: ({ signal }) => send(api.GET('/exchange-rate', { signal })),
  staleTime: 5 * 60_000,
  // Without a rate the dollar amounts still stand; whoever needs it says so itself.
  meta: { quiet: true },
});

/** The user's latest deals, a hundred at most, and how many there are in all. */
export const dealListQuery = queryOptions({
  queryKey: [...keys.dealList, 'latest'] as const,
  queryFn: ({ signal }) => sendList(api.GET('/deals/my-deals', { signal })),
});

/** What everybody may see of a user: facts, the newest posts and reviews. */
export const profileQuery = (username: string) =>
  queryOptions({
    queryKey: [...keys.profiles, username.toLowerCase()] as const,
    queryFn: ({ signal }) => send(api.GET('/auth/profile/{username}', { params: { path: { username } }, signal })),
    meta: { quiet: true },
  });
