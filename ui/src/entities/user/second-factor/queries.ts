import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';

/** What a passkey is asked with that confirms the session. */
export const options = () => send(api.POST('/auth/confirm/options'));

/** How the user proves at a login that it is them, beside the password. */
export const secondFactorQuery = queryOptions({
  queryKey: keys.secondFactor,
  queryFn: ({ signal }) => send(api.GET('/auth/second-factor', { signal })),
  meta: { quiet: true },
});
