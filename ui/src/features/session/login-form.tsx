import { useHydrated } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { User } from '@/api/contract';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { Note } from '@/components/note';
import { PasswordInput } from '@/components/password-input';
import { PendingButton } from '@/components/pending-button';
import { Input } from '@/components/ui/input';
import { type Method, requiredMethods } from '@/entities/user/second-factor/methods';
import { isCancelled, knowsPasskeys } from '@/entities/user/second-factor/passkey';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { decision } from '@/i18n/en/decision';
import { errorAdvice } from '@/lib/errors';
import { notify } from '@/lib/toast';
import { usePrehydrationInput } from '@/prerender/use-prehydration-input';
import { isSuspended, loginErrorText, passkeyErrorText, useLogin, usePasskeyLogin } from './mutations';
import { loginSchema } from './schemas';
import type { SecondStep } from './second-step';

/** A login refused by a suspension: its end and reason, and how to appeal. */
function Suspended({ text }: { text: string }) {
  const t = useTexts(decision);
  return (
    <Note kind="bad" title={t('login.suspended')} alert>
      <p className="overflow-clip wrap-anywhere whitespace-pre-line">{text}</p>
      <p>{t('login.appeal')}</p>
    </Note>
  );
}

/** Logs in without name and password. Hidden if the browser has no passkeys. */
function PasskeyButton({ onDone }: { onDone: (user: User) => void }) {
  const t = useTexts(auth);
  const hydrated = useHydrated();
  const login = usePasskeyLogin(onDone);
  if (hydrated && !knowsPasskeys()) return null;
  return (
    <>
      <PendingButton
        variant="outline"
        size="lg"
        className="w-full"
        disabled={!hydrated}
        pending={login.isPending}
        pendingText={t('login.busy')}
        onClick={() => login.mutate()}
      >
        <KeyRound aria-hidden="true" />
        {t('login.passkey')}
      </PendingButton>
      {login.isError && !isCancelled(login.error) ? (
        <p className="font-semibold text-destructive" role="alert">
          {passkeyErrorText(login.error)}
        </p>
      ) : null}
    </>
  );
}

type Props = {
  onDone: (user: User) => void;
  /** Called when the second step replaces the form, and when the form is back. */
  onStep: (step: LoginStep) => void;
  /** Prefilled for a login after the session ended. */
  username?: string;
};

export type LoginStep = 'first' | 'second';

// Few logins have one.
const loadSecondStep = () => import('./second-step');

type Second = { methods: readonly Method[]; Form: typeof SecondStep };

function useLoginForm({ onDone, onStep, username = '' }: Props) {
  const t = useTexts(auth);
  const [second, setSecond] = useState<Second | null>(null);
  const [expired, setExpired] = useState(false);
  const [again, setAgain] = useState(username !== '');
  const login = useLogin(onDone, loadSecondStep);
  const { form, submit, errorOf } = useDraftForm({
    schema: loginSchema,
    t,
    empty: usePrehydrationInput({ username, password: '' }),
    mutation: { isPending: login.isPending },
    onSubmit: (values, { setFocus, setValue }) =>
      login.mutateAsync(values, {
        onError: (error) => {
          const methods = requiredMethods(error);
          if (methods) {
            login.reset();
            setValue('password', '');
            void loadSecondStep().then(({ SecondStep: Form }) => {
              setSecond({ methods, Form });
              onStep('second');
            });
            return;
          }
          setFocus('password', { shouldSelect: true });
          if (!isSuspended(error)) notify.error(loginErrorText(error), errorAdvice(error) ?? undefined);
        },
      }),
  });
  const back = (late: boolean) => {
    setExpired(late);
    setAgain(true);
    setSecond(null);
    onStep('first');
  };
  return { form, submit, errorOf, login, second, expired: expired && login.isIdle, again, back };
}

/** Used by the page and by the dialog after the session's end. */
export function LoginForm(props: Props) {
  const t = useTexts(auth);
  const hydrated = useHydrated();
  const { form, submit, errorOf, login, second, expired, again, back } = useLoginForm(props);
  if (second) return <second.Form methods={second.methods} onDone={props.onDone} onBack={back} />;
  const failure = expired ? t('login.expired') : login.isError ? loginErrorText(login.error) : null;
  return (
    <div className={STACK}>
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
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the name is filled in already
              autoFocus={again}
              {...control}
              {...form.register('password')}
            />
          )}
        </FormField>
        {failure === null ? null : isSuspended(login.error) ? (
          <Suspended text={failure} />
        ) : (
          <p className="font-semibold text-destructive" role="alert">
            {failure}
          </p>
        )}
        {/* Before hydration, the browser would submit the form on Enter; a disabled button
            prevents that. */}
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
      <PasskeyButton onDone={props.onDone} />
    </div>
  );
}
