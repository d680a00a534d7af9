import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountQuery } from '@/entities/user/account';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { translate } from '@/i18n';
import { security } from '@/i18n/en/security';
import { api, send } from '@/lib/api';
import { outcomeText } from '@/lib/outcomes';
import type { EmailValues } from './email-schema';

/** Mails a link to another address. The form shows failures. */
export function useEmailChange(onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: EmailValues) => withConfirmation(() => send(api.POST('/auth/email', { body }))),
    meta: { quiet: true, success: (done) => outcomeText(done, translate(security, 'emailSent')) },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
      onDone();
    },
  });
}

export function useKeepEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.DELETE('/auth/email')),
    meta: {
      success: (done) => outcomeText(done, translate(security, 'emailKept')),
      fallback: () => translate(security, 'failed'),
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }),
  });
}
