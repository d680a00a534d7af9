import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { Note } from '@/components/note';
import { OutcomePanel } from '@/components/outcome-panel';
import { PasswordInput } from '@/components/password-input';
import { PendingButton } from '@/components/pending-button';
import { Button, buttonVariants } from '@/components/ui/button';
import { useStillHere } from '@/hooks/use-still-here';
import { type Key, useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { common } from '@/i18n/en/common';
import { firstMessage, messageOf, serverFieldErrors } from '@/lib/forms';
import { MIN_PASSWORD } from '@/lib/rules';
import { notify } from '@/lib/toast';
import { AuthPage, WordsAside } from './auth-page';
import { isBadToken, useLinkToken, useReset } from './mail-links';

/** docs/rules.md#timings */
const REDIRECT_DELAY = 2_000;

/** docs/rules.md#passwords. The message is a key of the catalogue. */
const longEnough = (password: string): true | Key<typeof account> => password.length >= MIN_PASSWORD || 'reset.short';

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
  const tCommon = useTexts(common);
  // Without useDraftForm: with zod for its one rule, the page would be 1 KB over its budget.
  const form = useForm({ defaultValues: { password: '' } });
  const reset = useReset(token);
  const badToken = token === '' || isBadToken(reset.error);
  const showRefusal = (error: unknown) => {
    if (serverFieldErrors(form, error, ['password']).length > 0) form.setFocus('password');
  };
  const submit = form.handleSubmit(
    (values) => {
      if (badToken) notify.error(t('token.invalid'));
      else reset.mutate(values, { onError: showRefusal });
    },
    (invalid) => notify.invalid(firstMessage(t, invalid, ['password'])),
  );
  if (reset.isSuccess) return <Done />;
  return (
    <form className={STACK} noValidate onSubmit={(event) => void submit(event)}>
      {badToken ? <NoToken /> : null}
      <FormField label={t('reset.password')} help={t('reset.help')} error={messageOf(t, form.formState.errors.password)}>
        {(control) => (
          <PasswordInput autoComplete="new-password" {...control} {...form.register('password', { validate: longEnough })} />
        )}
      </FormField>
      <Failure error={badToken ? null : reset.error} fallback={t('failed')} />
      <PendingButton size="lg" type="submit" className="w-full" pending={reset.isPending} pendingText={tCommon('sending')}>
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
