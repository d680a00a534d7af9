import { MailWarning } from 'lucide-react';
import { Note } from '@/components/khata/note';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { useMaybeMe } from '@/lib/queries';
import { useResendVerification } from '@/lib/verification';

/** 'Please verify your email.' until it is, with the way to another link; it blocks nothing (SPEC §2). */
export function VerifyBanner() {
  const t = useTexts(shell);
  const me = useMaybeMe();
  const resend = useResendVerification();
  if (!me || me.isVerified) return null;
  return (
    <div role="status" aria-live="polite">
      <Note kind="wait" icon={<MailWarning aria-hidden="true" />} className="banner">
        {t('verify')}{' '}
        <button
          type="button"
          className="link banner__act"
          aria-disabled={resend.isPending || undefined}
          onClick={() => (resend.isPending ? undefined : resend.mutate())}
        >
          {t('verify.again')}
        </button>
      </Note>
    </div>
  );
}
