import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshMoney } from '@/entities/wallet/operations';
import { translate } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { api, idempotent, send } from '@/lib/api';
import { isFinal, useIdempotencyKey } from '@/lib/idempotency';

export function useNotMine(id: string) {
  const queryClient = useQueryClient();
  const key = useIdempotencyKey();
  return useMutation({
    mutationFn: () => send(api.POST('/withdraw/{id}/not-mine', { params: { path: { id } }, headers: idempotent(key.current()) })),
    meta: { fallback: () => translate(wallet, 'notMe.failed') },
    onError: (error) => {
      if (isFinal(error)) key.renew();
    },
    onSettled: () => void refreshMoney(queryClient),
  });
}
