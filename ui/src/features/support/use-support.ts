import { useNavigate } from '@tanstack/react-router';
import { useMe } from '@/entities/user/queries';
import { useMoneyAction } from '@/entities/wallet/operations';
import { useStillHere } from '@/hooks/use-still-here';
import { translate } from '@/i18n';
import { support } from '@/i18n/en/support';
import { api, idempotent, send } from '@/lib/api';
import { outcomeText } from '@/lib/outcomes';
import type { SupportValues } from './support-schema';

/** Sends the request and leads to the deal, whose clock is now stopped. */
export function useSupport(dealId: string) {
  const me = useMe();
  const navigate = useNavigate();
  const here = useStillHere();
  return useMoneyAction({
    call: ({ issueDescription }: SupportValues, key) => {
      // The server knows the user, but the call includes them (docs/rules.md#wire).
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
