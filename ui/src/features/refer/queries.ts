import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';

const meta = { quiet: true };

/** The user's referral code, which never changes. */
export const referralCodeQuery = queryOptions({
  queryKey: ['referral', 'code'] as const,
  queryFn: async ({ signal }) => (await send(api.GET('/auth/me', { signal }))).referralCode,
  staleTime: Number.POSITIVE_INFINITY,
  meta,
});

export const referralStatsQuery = queryOptions({
  queryKey: keys.referralStats,
  queryFn: ({ signal }) => send(api.GET('/deals/refer/stats', { signal })),
  meta,
});
