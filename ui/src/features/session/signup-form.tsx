import { useHydrated } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { PasswordInput } from '@/components/password-input';
import { PendingButton } from '@/components/pending-button';
import { TermsText } from '@/components/terms-text';
import { Input } from '@/components/ui/input';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { ApiError, errorText } from '@/lib/errors';
import { usePrehydrationInput } from '@/prerender/use-prehydration-input';
import { useSignup } from './mutations';
import { signupSchema, stripUsername } from './schemas';

/** Create Account: a toast with the first broken rule, and errors at all fields. */
export function SignupForm({ onDone }: { onDone: (user: User) => void }) {
  const t = useTexts(auth);
  const hydrated = useHydrated();
  const signup = useSignup(onDone);
  const { form, submit, errorOf } = useDraftForm({
    schema: signupSchema,
    t,
    empty: usePrehydrationInput({ username: '', email: '', password: '' }),
    mutation: signup,
    onSubmit: (values) => signup.mutateAsync(values),
  });
  const username = form.register('username', { setValueAs: stripUsername });
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <FormField label={t('username')} help={t('username.help')} error={errorOf('username')}>
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
      <FormField label={t('email')} error={errorOf('email')}>
        {(control) => <Input type="email" autoComplete="email" {...control} {...form.register('email')} />}
      </FormField>
      <FormField label={t('password')} help={t('password.help')} error={errorOf('password')}>
        {(control) => <PasswordInput autoComplete="new-password" {...control} {...form.register('password')} />}
      </FormField>
      {/* Before hydration, the browser would submit the form on Enter; a disabled button
          prevents that. */}
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
      <p className="text-sm text-muted-foreground">
        <TermsText text={t('signup.terms')} />
      </p>
      {signup.error instanceof ApiError && Object.keys(signup.error.fields).length === 0 ? (
        <p className="font-semibold text-destructive" role="alert">
          {errorText(signup.error)}
        </p>
      ) : null}
    </form>
  );
}
