import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useHydrated } from '@tanstack/react-router';
import { type SubmitErrorHandler, useForm } from 'react-hook-form';
import type { User } from '@/api/contract';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { PasswordInput } from '@/components/password-input';
import { PendingButton } from '@/components/pending-button';
import { Input } from '@/components/ui/input';
import { useTexts } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { ApiError, errorText } from '@/lib/errors';
import { firstMessage, messageOf, serverFieldErrors } from '@/lib/forms';
import { notify } from '@/lib/toast';
import { usePrehydrationInput } from '@/prerender/use-prehydration-input';
import { useSignup } from './mutations';
import { type SignupValues, signupSchema, stripUsername } from './schemas';

const FIELDS = ['username', 'email', 'password'] as const;

/** Create Account: the first broken rule is said as a toast, every one stands at its field. */
export function SignupForm({ onDone }: { onDone: (user: User) => void }) {
  const t = useTexts(auth);
  const hydrated = useHydrated();
  const defaultValues = usePrehydrationInput({ username: '', email: '', password: '' });
  const form = useForm<SignupValues>({
    resolver: standardSchemaResolver(signupSchema),
    defaultValues,
  });
  const { errors } = form.formState;
  const signup = useSignup(onDone);
  const refused: SubmitErrorHandler<SignupValues> = (invalid) => notify.invalid(firstMessage(t, invalid, FIELDS));
  const submit = form.handleSubmit(
    (values) => signup.mutate(values, { onError: (error) => serverFieldErrors(form, error, FIELDS) }),
    refused,
  );
  const username = form.register('username', { setValueAs: stripUsername });
  return (
    <form className={STACK} noValidate onSubmit={(event) => void submit(event)}>
      <FormField label={t('username')} help={t('username.help')} error={messageOf(t, errors.username)}>
        {(control) => (
          <Input
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            {...control}
            {...username}
            onChange={(event) => {
              event.target.value = stripUsername(event.target.value);
              void username.onChange(event);
            }}
          />
        )}
      </FormField>
      <FormField label={t('email')} error={messageOf(t, errors.email)}>
        {(control) => <Input type="email" inputMode="email" autoComplete="email" {...control} {...form.register('email')} />}
      </FormField>
      <FormField label={t('password')} help={t('password.help')} error={messageOf(t, errors.password)}>
        {(control) => <PasswordInput autoComplete="new-password" {...control} {...form.register('password')} />}
      </FormField>
      {/* Before the page is hydrated the browser itself would send the form: Enter does nothing while this is disabled. */}
      <PendingButton
        size="lg"
        type="submit"
        className="w-full"
        disabled={!hydrated}
        pending={signup.isPending}
        pendingText={t('signup.busy')}
      >
        {t('signup.submit')}
      </PendingButton>
      {signup.error instanceof ApiError && Object.keys(signup.error.fields).length === 0 ? (
        <p className="font-semibold text-destructive" role="alert">
          {errorText(signup.error)}
        </p>
      ) : null}
    </form>
  );
}
