import { useHydrated } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { PasswordInput } from '@/components/password-input';
import { PendingButton } from '@/components/pending-button';
import { Input } from '@/components/ui/input';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { errorAdvice } from '@/lib/errors';
import { notify } from '@/lib/toast';
import { usePrehydrationInput } from '@/prerender/use-prehydration-input';
import { loginErrorText, useLogin } from './mutations';
import { loginSchema } from './schemas';

type Props = {
  onDone: (user: User) => void;
  /** Filled in when somebody logs in again after the session ended. */
  username?: string;
};

/** Username and password. Used by the page and by the dialog over a page whose session ended. */
export function LoginForm({ onDone, username = '' }: Props) {
  const t = useTexts(auth);
  const hydrated = useHydrated();
  const login = useLogin(onDone);
  const { form, submit, errorOf } = useDraftForm({
    schema: loginSchema,
    t,
    empty: usePrehydrationInput({ username, password: '' }),
    mutation: { isPending: login.isPending },
    onSubmit: (values, { setFocus }) =>
      login.mutateAsync(values, {
        onError: (error) => {
          setFocus('password', { shouldSelect: true });
          notify.error(loginErrorText(error), errorAdvice(error) ?? undefined);
        },
      }),
  });
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <FormField label={t('username')} error={errorOf('username')}>
        {(control) => (
          <Input autoComplete="username" autoCapitalize="none" spellCheck={false} {...control} {...form.register('username')} />
        )}
      </FormField>
      <FormField label={t('password')} error={errorOf('password')}>
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
