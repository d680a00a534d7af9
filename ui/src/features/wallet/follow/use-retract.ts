import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { translate } from '@/i18n';
import { depositFollow } from '@/i18n/en/deposit-follow';
import { api, send } from '@/lib/api';
import { outcomeText } from '@/lib/outcomes';

/** Withdraws a deposit reported by mistake. Idempotent. */
export function useRetract(id: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/deposits/{id}/retract', { params: { path: { id } } })),
    meta: {
      success: (done) => outcomeText(done, translate(depositFollow, 'retract.done')),
      fallback: () => translate(depositFollow, 'retract.failed'),
    },
    // Also after a refusal, when an admin was faster: the page shows the result.
    onSettled: () => {
      onDone();
      return queryClient.invalidateQueries({ queryKey: keys.deposits });
    },
  });
}
