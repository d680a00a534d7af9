import { MailWarning } from 'lucide-react';
import { Note } from '@/components/note';
import { Button } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useResendVerification } from '@/entities/user/verification';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';

/** 'Please verify your email.', with a button for another link. */
function VerifyReminder() {
  const t = useTexts(shell);
  const resend = useResendVerification();
  return (
    <div role="status" aria-live="polite">
      <Note kind="wait" icon={<MailWarning aria-hidden="true" />} banner>
        {t('verify')}{' '}
        <Button
          variant="link"
          className="min-h-6"
          aria-disabled={resend.isPending || undefined}
          onClick={() => (resend.isPending ? undefined : resend.mutate())}
        >
          {t('verify.again')}
        </Button>
      </Note>
    </div>
  );
}

export function VerifyBanner() {
  const me = useMaybeMe();
  return !me || me.isVerified ? null : <VerifyReminder />;
}
