import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';

export const options = () => send(api.POST('/auth/confirm/options'));

export const secondFactorQuery = queryOptions({
  queryKey: keys.secondFactor,
  queryFn: ({ signal }) => send(api.GET('/auth/second-factor', { signal })),
  meta: { quiet: true },
});
