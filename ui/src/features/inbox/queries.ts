import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DealStatus } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send, sendList } from '@/lib/api';
import { wordPattern } from './risk';

/** The words that get a warning. Phone numbers and payment links need none. */
export const chatWarningsQuery = queryOptions({
  queryKey: ['chat-warnings'] as const,
  queryFn: ({ signal }) => send(api.GET('/public/chat-warnings', { signal })),
  staleTime: 60 * 60_000,
  meta: { quiet: true },
});

/** The words as a pattern; null until they are loaded, and without any. */
export function useWarningWords(): RegExp | null {
  const { data } = useQuery(chatWarningsQuery);
  return useMemo(() => wordPattern(data?.words ?? []), [data]);
}

const UNFINISHED: DealStatus[] = ['Pending', 'Active', 'Late', 'Delivered'];

/** The key is below that of all deals, so that both are invalidated together. */
export function dealsBetweenQuery(userId: string, otherUserId: string) {
  return queryOptions({
    queryKey: [...keys.dealsBetween, userId, otherUserId] as const,
    queryFn: ({ signal }) => {
      const params = { path: { userId, otherUserId }, query: { status: UNFINISHED } };
      return sendList(api.GET('/deals/between/{userId}/{otherUserId}', { params, signal }));
    },
    meta: { quiet: true },
  });
}
