import { translate } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { api, idempotent, send } from '@/lib/api';
import { floorRate } from '@/lib/money';
import { saveNumber } from '../payout/payout-numbers';
import type { WithdrawValues } from '../request/schemas';
import type { MoneyRequest } from '../request/use-money-request';

export const withdrawRequest: MoneyRequest<WithdrawValues> = {
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
