import { queryOptions } from '@tanstack/react-query';
import { api, send } from '@/lib/api';
import { keys } from '@/lib/queries';

/** The deals of two people with each other, newest first. Under the key of all deals: whatever refreshes them, refreshes these. */
export function dealsBetweenQuery(userId: string, otherUserId: string) {
  return queryOptions({
    queryKey: [...keys.dealsBetween, userId, otherUserId] as const,
    queryFn: ({ signal }) =>
      send(api.GET('/deals/between/{userId}/{otherUserId}', { params: { path: { userId, otherUserId } }, signal })),
    // Without it the messages still stand.
    meta: { quiet: true },
  });
}
