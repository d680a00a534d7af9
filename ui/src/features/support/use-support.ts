import { useNavigate } from '@tanstack/react-router';
import { useMe } from '@/entities/user/queries';
import { useMoneyAction } from '@/entities/wallet/operations';
import { useStillHere } from '@/hooks/use-still-here';
import { translate } from '@/i18n';
import { support } from '@/i18n/en/support';
import { api, idempotent, send } from '@/lib/api';
import { outcomeText } from '@/lib/outcomes';
import type { SupportValues } from './support-schema';

/** Sends the call for an admin, says the server's word, and leads back to the deal, whose clock now stands still. */
export function useSupport(dealId: string) {
  const me = useMe();
  const navigate = useNavigate();
  const here = useStillHere();
  return useMoneyAction({
    call: ({ issueDescription }: SupportValues, key) => {
      // The server knows who asks; the call takes it along (docs/rules.md#wire).
      const body = { userId: me._id, username: me.username, dealId, issueDescription };
      return send(api.POST('/deals/support', { body, headers: idempotent(key) }));
    },
    success: (done) => outcomeText(done, translate(support, 'sent')),
    fallback: () => translate(support, 'failed'),
    onDone: () => {
      if (here()) void navigate({ to: '/deal/$dealId', params: { dealId }, replace: true });
    },
  });
}
