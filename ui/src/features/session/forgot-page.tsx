import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { Link } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { buttonVariants } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { common } from '@/i18n/en/common';
import { errorAdvice } from '@/lib/errors';
import { firstMessage, messageOf } from '@/lib/forms';
import { notify } from '@/lib/toast';
import { AuthPage, WordsAside } from './auth-page';
import { forgotErrorText, useForgot } from './mail-links';
import { type ForgotValues, forgotSchema } from './schemas';

function ForgotForm() {
  const t = useTexts(account);
  const c = useTexts(common);
  const form = useForm<ForgotValues>({ resolver: standardSchemaResolver(forgotSchema), defaultValues: { email: '' } });
  const forgot = useForgot();
  const submit = form.handleSubmit(
    (values) =>
      forgot.mutate(values, {
        onError: (error) => {
          form.setFocus('email', { shouldSelect: true });
          notify.error(forgotErrorText(error), errorAdvice(error) ?? undefined);
        },
      }),
    (invalid) => notify.invalid(firstMessage(t, invalid, ['email'])),
  );
  return (
    <form className={STACK} noValidate onSubmit={(event) => void submit(event)}>
      <FormField label={t('forgot.email')} error={messageOf(t, form.formState.errors.email)}>
        {(control) => (
          <Input
            type="email"
            inputMode="email"
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
      <PendingButton size="lg" type="submit" className="w-full" pending={forgot.isPending} pendingText={c('sending')}>
        {t('forgot.submit')}
      </PendingButton>
    </form>
  );
}

/** /forgot-password: the form stays after the link is sent, for another address or another link. */
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
