import type { DepositSubmitted } from '@/api/contract';
import { transactionIdOf } from '@/entities/wallet/mobile-money';
import { translate } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { api, idempotent, send } from '@/lib/api';
import { ceilRate } from '@/lib/money';
import { outcomeText } from '@/lib/outcomes';
import type { DepositValues } from '../request/schemas';
import type { MoneyRequest } from '../request/use-money-request';

export const depositRequest: MoneyRequest<DepositValues, DepositSubmitted> = {
  name: 'deposit',
  round: ceilRate,
  send: ({ transactionId }, body, key) =>
    send(
      api.POST('/auth/deposit', {
        body: { ...body, transactionId: transactionIdOf(transactionId) },
        headers: idempotent(key),
      }),
    ),
  success: (done) => outcomeText(done, translate(wallet, 'deposit.done')),
  fallback: () => translate(wallet, 'deposit.failed'),
};
