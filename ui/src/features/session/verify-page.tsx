import { Link } from '@tanstack/react-router';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useResendVerification } from '@/entities/user/verification';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { HOME } from '@/lib/redirect';
import { AuthPage, WordsAside } from './auth-page';
import { isBadToken, useLinkToken, useVerify } from './mail-links';

function Onward() {
  const t = useTexts(account);
  const me = useMaybeMe();
  return (
    <Button asChild>
      <Link to={me ? HOME : '/login'}>{t(me ? 'toDashboard' : 'toLogin')}</Link>
    </Button>
  );
}

function Another() {
  const t = useTexts(account);
  const me = useMaybeMe();
  const resend = useResendVerification();
  if (!me) {
    return (
      <>
        <p className="text-muted-foreground">{t('verify.loginFirst')}</p>
        <Onward />
      </>
    );
  }
  return (
    <PendingButton pending={resend.isPending} onClick={() => resend.mutate()}>
      {t('verify.again')}
    </PendingButton>
  );
}

function Verification({ token }: { token: string }) {
  const t = useTexts(account);
  const me = useMaybeMe();
  const verify = useVerify(token);
  if (verify.isSuccess) {
    return (
      <OutcomePanel kind="done" title={t('verify.done')}>
        <Onward />
      </OutcomePanel>
    );
  }
  if (isBadToken(verify.error) && me?.isVerified) {
    return (
      <OutcomePanel key="already" kind="done" title={t('verify.already')} text={t('verify.alreadyText')}>
        <Onward />
      </OutcomePanel>
    );
  }
  if (token === '' || isBadToken(verify.error)) {
    const which = token === '' ? 'missing' : 'over';
    return (
      <OutcomePanel key="over" kind="bad" title={t(`verify.${which}`)} text={t(`verify.${which}Text`)}>
        <Another />
      </OutcomePanel>
    );
  }
  return (
    <div className={STACK}>
      <Failure error={verify.error} fallback={t('failed')} />
      <PendingButton size="lg" className="w-full" pending={verify.isPending} onClick={() => verify.mutate()}>
        {t('verify.submit')}
      </PendingButton>
    </div>
  );
}

/** /verify-email: verifies on a press, because some mail programs open every link. */
export function VerifyPage() {
  const t = useTexts(account);
  const token = useLinkToken();
  return (
    <AuthPage
      title={t('verify.title')}
      lede={t('verify.lede')}
      aside={<WordsAside title={t('verify.aside')} lines={[t('verify.aside.1'), t('verify.aside.2'), t('verify.aside.3')]} />}
    >
      <Verification key={token} token={token} />
    </AuthPage>
  );
}
