import { useQueryClient } from '@tanstack/react-query';
import type { PaymentMethod } from '@/api/contract';
import { useMe } from '@/entities/user/queries';
import { useMoneyAction } from '@/entities/wallet/operations';
import { translate } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { api, idempotent, send } from '@/lib/api';
import { dropDraft } from '@/lib/draft';
import { centsToWire, floorRate, parseCents } from '@/lib/money';
import { refreshRate } from '../request/refresh-rate';
import type { WithdrawValues } from '../request/schemas';
import { useRequestContext } from '../request/use-request-context';

export const withdrawDraft = (userId: string, method: PaymentMethod): string => `withdraw:${userId}:${method}`;

/** Asks for a payout. It belongs to the page for the same reason as a deposit. */
export function useWithdraw(onDone: () => void) {
  const queryClient = useQueryClient();
  const me = useMe();
  const requestContext = useRequestContext('withdraw', floorRate);
  return useMoneyAction({
    call: async ({ method, amount, phonenumber }: WithdrawValues & { method: PaymentMethod }, key) => {
      const cents = parseCents(amount) ?? 0;
      const body = { amount: centsToWire(cents), phonenumber, paymentMethod: method, ...requestContext(cents, key) };
      const answer = await send(api.POST('/withdraw', { body, headers: idempotent(key) }));
      dropDraft(withdrawDraft(me._id, method));
      return answer;
    },
    success: () => translate(wallet, 'withdraw.done'),
    fallback: () => translate(wallet, 'withdraw.failed'),
    onDone,
    onFailed: (error) => refreshRate(queryClient, error),
  });
}
export type WithdrawAction = ReturnType<typeof useWithdraw>;
