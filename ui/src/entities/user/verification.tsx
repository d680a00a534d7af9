import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { useMe } from '@/entities/user/queries';
import { translate, useTexts } from '@/i18n';
import { secondFactor } from '@/i18n/en/second-factor';
import { member } from '@/i18n/en/user';
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

export function VerifyFirst() {
  const t = useTexts(secondFactor);
  const { email } = useMe();
  const resend = useResendVerification();
  return (
    <Note kind="wait">
      <p className="wrap-anywhere">{t('verify.text', { email })}</p>
      <PendingButton variant="outline" className="mt-3" pending={resend.isPending} onClick={() => resend.mutate()}>
        {t('verify.again')}
      </PendingButton>
    </Note>
  );
}
