import type { DepositSubmitted, WithdrawalSubmitted } from '@/api/contract';
import { pendingDepositsQuery } from '@/entities/wallet/deposits';
import { transactionIdOf } from '@/entities/wallet/mobile-money';
import { translate } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { api, idempotent, send } from '@/lib/api';
import { ceilRate, floorRate } from '@/lib/money';
import { outcomeText } from '@/lib/outcomes';
import { saveNumber } from '../payout/payout-numbers';
import type { DepositValues, WithdrawValues } from './schemas';
import type { MoneyRequest } from './use-money-request';

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
  // What the deal shows before the refresh: otherwise it would ask for the money again.
  after: (queryClient, _values, _body, answer) => {
    if ('operation' in answer) return;
    const { deposit, wait } = answer;
    queryClient.setQueryData(pendingDepositsQuery.queryKey, (old) => ({ wait, deposits: [deposit, ...(old?.deposits ?? [])] }));
  },
  success: (done) => outcomeText(done, translate(wallet, 'deposit.done')),
  fallback: () => translate(wallet, 'deposit.failed'),
};

export const withdrawRequest: MoneyRequest<WithdrawValues, WithdrawalSubmitted> = {
  name: 'withdraw',
  round: floorRate,
  send: ({ phonenumber }, body, key) => send(api.POST('/withdraw', { body: { ...body, phonenumber }, headers: idempotent(key) })),
  after: (queryClient, { phonenumber, saveAs }, { paymentMethod }) => {
    const name = saveAs.trim();
    if (name !== '') void saveNumber(queryClient, { name, paymentMethod, phoneNumber: phonenumber });
  },
  success: () => translate(wallet, 'withdraw.done'),
  fallback: () => translate(wallet, 'withdraw.failed'),
};
