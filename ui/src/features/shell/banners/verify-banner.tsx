import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MailWarning } from 'lucide-react';
import { Note } from '@/components/note';
import { Button, buttonVariants } from '@/components/ui/button';
import { accountQuery, useMaybeMe } from '@/entities/user/queries';
import { useResendVerification } from '@/entities/user/verification';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';

/**
 * 'Please verify your email.', where the link was sent, and ways to another link or address: two
 * lines on a phone. A short window has one line: the address, and the way to another.
 */
function VerifyReminder({ email }: { email: string }) {
  const t = useTexts(shell);
  const resend = useResendVerification();
  const pending = useQuery(accountQuery).data?.pendingEmail;
  const address = pending ?? email;
  return (
    <div role="status" aria-live="polite">
      <Note kind="wait" icon={<MailWarning aria-hidden="true" />} banner>
        <div className="flex flex-wrap items-center gap-x-4 leading-5 short:flex-nowrap">
          <p className="flex min-w-0 gap-2 max-sm:basis-full">
            <span className="flex-none short:sr-only">{t('verify')}</span>
            <span className="truncate">{address}</span>
          </p>
          {pending ? null : (
            <Button
              variant="link"
              className="-my-3 short:hidden"
              aria-disabled={resend.isPending || undefined}
              onClick={() => (resend.isPending ? undefined : resend.mutate())}
            >
              {t('verify.again')}
            </Button>
          )}
          <Link to="/security" hash="email" className={buttonVariants({ variant: 'link', className: '-my-3 flex-none' })}>
            {t(pending ? 'verify.again' : 'verify.wrong')}
          </Link>
        </div>
      </Note>
    </div>
  );
}

export function VerifyBanner() {
  const me = useMaybeMe();
  return !me || me.isVerified ? null : <VerifyReminder email={me.email} />;
}
