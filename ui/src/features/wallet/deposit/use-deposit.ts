import { useQueryClient } from '@tanstack/react-query';
import type { PaymentMethod } from '@/api/contract';
import { useMe } from '@/entities/user/queries';
import { transactionIdOf } from '@/entities/wallet/mobile-money';
import { useMoneyAction } from '@/entities/wallet/operations';
import { translate } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { api, idempotent, send } from '@/lib/api';
import { dropDraft } from '@/lib/draft';
import { ceilRate, centsToWire, parseCents } from '@/lib/money';
import { outcomeText } from '@/lib/outcomes';
import { refreshRate } from '../request/refresh-rate';
import type { DepositValues } from '../request/schemas';
import { useRequestContext } from '../request/use-request-context';

export const depositDraft = (userId: string, method: PaymentMethod): string => `deposit:${userId}:${method}`;

/** Reports a payment. It belongs to the page, not to the dialog: its key must outlive a closed dialog, or a repeated report would count twice. */
export function useDeposit(onDone: () => void) {
  const queryClient = useQueryClient();
  const me = useMe();
  const requestContext = useRequestContext('deposit', ceilRate);
  return useMoneyAction({
    call: async ({ method, amount, transactionId }: DepositValues & { method: PaymentMethod }, key) => {
      const cents = parseCents(amount) ?? 0;
      const body = {
        amount: centsToWire(cents),
        transactionId: transactionIdOf(transactionId),
        paymentMethod: method,
        ...requestContext(cents, key),
      };
      const answer = await send(api.POST('/auth/deposit', { body, headers: idempotent(key) }));
      dropDraft(depositDraft(me._id, method));
      return answer;
    },
    success: (done) => outcomeText(done, translate(wallet, 'deposit.done')),
    fallback: () => translate(wallet, 'deposit.failed'),
    onDone,
    onFailed: (error) => refreshRate(queryClient, error),
  });
}
export type DepositAction = ReturnType<typeof useDeposit>;
