import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { useMe } from '@/entities/user/queries';
import { useResendVerification } from '@/entities/user/verification';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { secondFactor } from '@/i18n/en/second-factor';

export function VerifyFirst() {
  const t = useTexts(secondFactor);
  const tCommon = useTexts(common);
  const { email } = useMe();
  const resend = useResendVerification();
  return (
    <Note kind="wait">
      <p className="wrap-anywhere">{t('verify.text', { email })}</p>
      <PendingButton
        variant="outline"
        className="mt-3"
        pending={resend.isPending}
        pendingText={tCommon('sending')}
        onClick={() => resend.mutate()}
      >
        {t('verify.again')}
      </PendingButton>
    </Note>
  );
}
