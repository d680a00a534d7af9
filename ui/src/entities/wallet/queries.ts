import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { translate } from '@/i18n';
import { balance } from '@/i18n/en/balance';
import { api, send } from '@/lib/api';

/** The signed-in user's balance, which the navbar keeps fresh on every members' page. */
export const walletQuery = queryOptions({
  queryKey: keys.wallet,
  queryFn: ({ signal }) => send(api.GET('/wallet', { signal })),
  meta: { fallback: () => translate(balance, 'failed') },
});

/** Our numbers, and whether the SMS about a payment to them is enough to credit it. */
export const receiversQuery = queryOptions({
  queryKey: ['receivers'] as const,
  queryFn: ({ signal }) => send(api.GET('/wallet/receivers', { signal })),
  staleTime: 60_000,
  meta: { quiet: true },
});
