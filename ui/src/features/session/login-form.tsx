import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useHydrated } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import type { User } from '@/api/contract';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { PasswordInput } from '@/components/password-input';
import { PendingButton } from '@/components/pending-button';
import { Input } from '@/components/ui/input';
import { useTexts } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { errorAdvice } from '@/lib/errors';
import { firstMessage, messageOf } from '@/lib/forms';
import { notify } from '@/lib/toast';
import { usePrehydrationInput } from '@/prerender/use-prehydration-input';
import { loginErrorText, useLogin } from './mutations';
import { type LoginValues, loginSchema } from './schemas';

type Props = {
  onDone: (user: User) => void /** Fixed when somebody logs in again after the session ended. */;
  username?: string;
};

/** Username and password. Used by the page and by the dialog over a page whose session ended. */
export function LoginForm({ onDone, username = '' }: Props) {
  const t = useTexts(auth);
  const hydrated = useHydrated();
  const defaultValues = usePrehydrationInput({ username, password: '' });
  const form = useForm<LoginValues>({
    resolver: standardSchemaResolver(loginSchema),
    defaultValues,
    reValidateMode: 'onChange',
  });
  const { errors } = form.formState;
  const login = useLogin(onDone);
  const submit = form.handleSubmit(
    (values) =>
      login.mutate(values, {
        onError: (error) => {
          form.setFocus('password', { shouldSelect: true });
          notify.error(loginErrorText(error), errorAdvice(error) ?? undefined);
        },
      }),
    (invalid) => notify.invalid(firstMessage(t, invalid, ['username', 'password'])),
  );
  return (
    <form className={STACK} noValidate onSubmit={(event) => void submit(event)}>
      <FormField label={t('username')} error={messageOf(t, errors.username)}>
        {(control) => (
          <Input autoComplete="username" autoCapitalize="none" spellCheck={false} {...control} {...form.register('username')} />
        )}
      </FormField>
      <FormField label={t('password')} error={messageOf(t, errors.password)}>
        {(control) => (
          <PasswordInput
            autoComplete="current-password"
            // eslint-disable-next-line jsx-a11y-x/no-autofocus -- the name is filled in already
            autoFocus={username !== ''}
            {...control}
            {...form.register('password')}
          />
        )}
      </FormField>
      {login.isError ? (
        <p className="font-semibold text-destructive" role="alert">
          {loginErrorText(login.error)}
        </p>
      ) : null}
      {/* Before the page is hydrated the browser itself would send the form: Enter does nothing while this is disabled. */}
      <PendingButton
        size="lg"
        type="submit"
        className="w-full"
        disabled={!hydrated}
        pending={login.isPending}
        pendingText={t('login.busy')}
      >
        {t('login.submit')}
      </PendingButton>
    </form>
  );
}
