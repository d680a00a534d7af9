import { Link } from '@tanstack/react-router';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { buttonVariants } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { errorAdvice } from '@/lib/errors';
import { notify } from '@/lib/toast';
import { AuthPage, WordsAside } from './auth-page';
import { forgotErrorText, useForgot } from './mail-links';
import { forgotSchema } from './schemas';

function ForgotForm() {
  const t = useTexts(account);
  const forgot = useForgot();
  const { form, submit, errorOf } = useDraftForm({
    schema: forgotSchema,
    t,
    empty: { email: '' },
    mutation: { isPending: forgot.isPending },
    onSubmit: (values, { setFocus }) =>
      forgot.mutateAsync(values, {
        onError: (error) => {
          setFocus('email', { shouldSelect: true });
          notify.error(forgotErrorText(error), errorAdvice(error) ?? undefined);
        },
      }),
  });
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <FormField label={t('forgot.email')} error={errorOf('email')}>
        {(control) => (
          <Input
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            {...control}
            {...form.register('email')}
          />
        )}
      </FormField>
      <Failure error={forgot.error} text={forgotErrorText(forgot.error)} />
      <div role="status" aria-live="polite" className="empty:absolute">
        {forgot.isSuccess ? (
          <Note kind="info" title={t('forgot.sent')}>
            {t('forgot.look')}
          </Note>
        ) : null}
      </div>
      <PendingButton size="lg" type="submit" className="w-full" pending={forgot.isPending}>
        {t('forgot.submit')}
      </PendingButton>
    </form>
  );
}

/** /forgot-password: the form stays after the link is sent, for another try. */
export function ForgotPage() {
  const t = useTexts(account);
  return (
    <AuthPage
      title={t('forgot.title')}
      lede={t('forgot.lede')}
      aside={<WordsAside title={t('forgot.aside')} lines={[t('forgot.aside.1'), t('forgot.aside.2'), t('forgot.aside.3')]} />}
      below={
        <>
          <span className="text-muted-foreground">{t('forgot.remembered')}</span>
          <Link to="/login" className={buttonVariants({ variant: 'link' })}>
            {t('toLogin')}
          </Link>
        </>
      }
    >
      <ForgotForm />
    </AuthPage>
  );
}
