import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { Note } from '@/components/note';
import { OutcomePanel } from '@/components/outcome-panel';
import { PasswordInput } from '@/components/password-input';
import { PendingButton } from '@/components/pending-button';
import { Button, buttonVariants } from '@/components/ui/button';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { notify } from '@/lib/toast';
import { AuthPage, WordsAside } from './auth-page';
import { isBadToken, useLinkToken, useReset } from './mail-links';
import { resetSchema } from './schemas';

/** docs/rules.md#timings */
const REDIRECT_DELAY = 2_000;

function Done() {
  const t = useTexts(account);
  const navigate = useNavigate();
  const here = useStillHere();
  useEffect(() => {
    const timer = setTimeout(() => {
      if (here()) void navigate({ to: '/login' });
    }, REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [navigate, here]);
  return (
    <OutcomePanel kind="done" title={t('reset.done')} text={t('reset.next')}>
      <Button asChild>
        <Link to="/login">{t('toLogin')}</Link>
      </Button>
    </OutcomePanel>
  );
}

function NoToken() {
  const t = useTexts(account);
  return (
    <Note kind="bad" title={t('token.invalid')} alert>
      <p>{t('reset.linkOver')}</p>
      <Link to="/forgot-password" className={buttonVariants({ variant: 'link' })}>
        {t('reset.another')}
      </Link>
    </Note>
  );
}

function ResetForm({ token }: { token: string }) {
  const t = useTexts(account);
  const reset = useReset(token);
  const badToken = token === '' || isBadToken(reset.error);
  const { form, submit, errorOf } = useDraftForm({
    schema: resetSchema,
    t,
    empty: { password: '' },
    mutation: reset,
    onSubmit: (values) => {
      if (!badToken) return reset.mutateAsync(values);
      notify.error(t('token.invalid'));
      return undefined;
    },
  });
  if (reset.isSuccess) return <Done />;
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      {badToken ? <NoToken /> : null}
      <FormField label={t('reset.password')} help={t('reset.help')} error={errorOf('password')}>
        {(control) => <PasswordInput autoComplete="new-password" {...control} {...form.register('password')} />}
      </FormField>
      <Failure error={badToken ? null : reset.error} fallback={t('failed')} />
      <PendingButton size="lg" type="submit" className="w-full" pending={reset.isPending}>
        {t('reset.submit')}
      </PendingButton>
    </form>
  );
}

/** /reset-password: a new password for the account of the mailed link. */
export function ResetPage() {
  const t = useTexts(account);
  const token = useLinkToken();
  return (
    <AuthPage
      title={t('reset.title')}
      lede={t('reset.lede')}
      aside={<WordsAside title={t('forgot.aside')} lines={[t('forgot.aside.2'), t('forgot.aside.3')]} />}
    >
      <ResetForm key={token} token={token} />
    </AuthPage>
  );
}
