import { MailWarning } from 'lucide-react';
import { Note } from '@/components/khata/note';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { useResendVerification } from '@/lib/verification';

/** 'Please verify your email.', with the way to another link; a default export because it is a lazy chunk. */
export default function VerifyReminder() {
  const t = useTexts(shell);
  const resend = useResendVerification();
  return (
    <div role="status" aria-live="polite">
      <Note kind="wait" icon={<MailWarning aria-hidden="true" />} banner>
        {t('verify')}{' '}
        <button
          type="button"
          className="link min-h-6"
          aria-disabled={resend.isPending || undefined}
          onClick={() => (resend.isPending ? undefined : resend.mutate())}
        >
          {t('verify.again')}
        </button>
      </Note>
    </div>
  );
}
