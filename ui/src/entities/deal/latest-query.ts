import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, sendList } from '@/lib/api';

/** The user's latest deals, a hundred at most, and how many there are in all. */
export const dealListQuery = queryOptions({
  queryKey: [...keys.dealList, 'latest'] as const,
  queryFn: ({ signal }) => sendList(api.GET('/deals/my-deals', { signal })),
});
