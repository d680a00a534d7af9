import { useMutation } from '@tanstack/react-query';
import { translate } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { api, send } from './api';
import { isApiError } from './errors';
import { refreshUser } from './guards';
import { outcomeText } from './outcomes';

/** Has another link mailed that verifies the address of the signed-in user. */
export function useResendVerification() {
  return useMutation({
    mutationFn: () => send(api.POST('/auth/resend-verification')),
    meta: { success: (done) => outcomeText(done, translate(shell, 'verify.sent')) },
    onError: async (error) => {
      // Verified meanwhile, in another browser.
      if (isApiError(error, 'conflict')) await refreshUser();
    },
  });
}
