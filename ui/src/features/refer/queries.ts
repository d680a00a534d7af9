import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';

// Both: the page shows a failure itself, and nothing more is said of it.
const meta = { quiet: true };

/** The user's referral code. It never changes. */
export const referralCodeQuery = queryOptions({
  queryKey: ['referral', 'code'] as const,
  queryFn: async ({ signal }) => (await send(api.GET('/auth/me', { signal }))).referralCode,
  staleTime: Number.POSITIVE_INFINITY,
  meta,
});

/** Whom the user has brought, and what that has earned. */
export const referralStatsQuery = queryOptions({
  queryKey: keys.referralStats,
  queryFn: ({ signal }) => send(api.GET('/deals/refer/stats', { signal })),
  meta,
});
