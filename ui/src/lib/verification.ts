import { useMutation } from '@tanstack/react-query';
import { translate } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { api, send } from './api';
import { isApiError, serverText } from './errors';
import { refreshUser } from './guards';

/** Has another link mailed that verifies the address of the signed-in user. */
export function useResendVerification() {
  return useMutation({
    mutationFn: async () => (await send(api.POST('/auth/resend-verification'))).message,
    meta: { success: (message) => serverText(String(message), translate(shell, 'verify.sent')) },
    onError: async (error) => {
      // Verified meanwhile, in another browser.
      if (isApiError(error, 'conflict')) await refreshUser();
    },
  });
}
