import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, sendList } from '@/lib/api';

/** The user's latest deals (at most a hundred) and their total number. */
export const dealListQuery = queryOptions({
  queryKey: [...keys.dealList, 'latest'] as const,
  queryFn: ({ signal }) => sendList(api.GET('/deals/my-deals', { signal })),
});
