import { useMutation, useQueryClient } from '@tanstack/react-query';
import { translate } from '@/i18n';
import { member } from '@/i18n/en/member';
import { api, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';
import { outcomeText } from '@/lib/outcomes';
import { refreshUser } from './guards';

export function useResendVerification() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/resend-verification')),
    meta: { success: (done) => outcomeText(done, translate(member, 'verify.sent')) },
    onError: async (error) => {
      // Verified meanwhile, in another browser.
      if (isApiError(error, 'conflict')) await refreshUser(queryClient);
    },
  });
}
