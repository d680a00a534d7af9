import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { translate } from '@/i18n';
import { balance } from '@/i18n/en/balance';
import { api, send } from '@/lib/api';

/** The signed-in user's balance. The navbar shows it, so every page behind the sign-in keeps it fresh, and says when it cannot. */
export const walletQuery = queryOptions({
  queryKey: keys.wallet,
  queryFn: ({ signal }) => send(api.GET('/wallet', { signal })),
  meta: { fallback: () => translate(balance, 'failed') },
});
