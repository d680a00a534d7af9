import { useMoneyAction } from '@/entities/wallet/operations';
import { translate } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { api, idempotent, send } from '@/lib/api';

/** Cancels a withdrawal that no admin works on. */
export function useCancelWithdrawal(id: string, onDone: () => void) {
  return useMoneyAction({
    call: (_, key) => send(api.POST('/withdraw/{id}/cancel', { params: { path: { id } }, headers: idempotent(key) })),
    success: () => translate(wallet, 'cancel.done'),
    fallback: () => translate(wallet, 'cancel.failed'),
    onDone,
    onFailed: onDone,
  });
}
