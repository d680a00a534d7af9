import { queryOptions } from '@tanstack/react-query';
import type { DealStatus } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, sendList } from '@/lib/api';

const UNFINISHED: DealStatus[] = ['Pending', 'Active', 'Late', 'Delivered'];

/** The deals of two people with each other that are not over, newest first. Under the key of all deals: whatever refreshes them, refreshes these. */
export function dealsBetweenQuery(userId: string, otherUserId: string) {
  return queryOptions({
    queryKey: [...keys.dealsBetween, userId, otherUserId] as const,
    queryFn: ({ signal }) => {
      const params = { path: { userId, otherUserId }, query: { status: UNFINISHED } };
      return sendList(api.GET('/deals/between/{userId}/{otherUserId}', { params, signal }));
    },
    // Without it the messages still stand.
    meta: { quiet: true },
  });
}
