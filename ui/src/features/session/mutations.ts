import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { methodsWanted } from '@/entities/user/second-factor/methods';
import { askPasskey, isDeviceFailure } from '@/entities/user/second-factor/passkey';
import type { Proof } from '@/entities/user/second-factor/use-proof';
import { currentLanguage, translate } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { api, send } from '@/lib/api';
import { errorAdvice, errorText, isApiError } from '@/lib/errors';
import { TERMS_VERSION } from '@/lib/rules';
import { forgetReferral, storedReferral } from './referral';
import type { LoginValues, SignupValues } from './schemas';

/** The text of a failed login: too many attempts, wrong, or the server's own. */
export function loginErrorText(error: unknown): string {
  if (isApiError(error) && error.status === 429) return translate(auth, 'login.locked');
  if (isApiError(error, 'invalid_credentials')) return translate(auth, 'login.wrong');
  return errorText(error, translate(auth, 'failed'));
}

/** Whether the account is suspended: the words of that stay on the page, and a link to appeal was mailed. */
export const isSuspended = (error: unknown) => isApiError(error) && /^login_(suspended|banned)$/.test(error.reason);

/** The text of a log-in by passkey that failed, and what to do then. */
export function passkeyErrorText(error: unknown): string {
  const text = isDeviceFailure(error) ? translate(auth, 'login.passkeyFailed') : errorText(error, translate(auth, 'failed'));
  return `${text} ${errorAdvice(error) ?? translate(auth, 'login.passkeyAdvice')}`;
}

const loggedIn = () => translate(auth, 'login.done');

/** Makes a call that logs in, then checks the session: what the check answers is the user. */
async function enter(call: Promise<unknown>): Promise<User> {
  await call;
  return send(api.GET('/auth/check'));
}

/** What follows a log-in, whatever it was made with. */
function useEntry(onDone: (user: User) => void) {
  const queryClient = useQueryClient();
  return (user: User) => {
    queryClient.setQueryData(keys.me, user);
    onDone(user);
  };
}

/** Logs in by name and password. Where a second step is wanted, it fails with the refusal that says so once the code of that step is there. */
export function useLogin(onDone: (user: User) => void, loadSecondStep: () => Promise<unknown>) {
  return useMutation({
    mutationFn: async (body: LoginValues) => {
      try {
        return await enter(send(api.POST('/auth/login', { body })));
      } catch (error) {
        if (methodsWanted(error)) await loadSecondStep();
        throw error;
      }
    },
    gcTime: 0, // the password is in it
    meta: { success: loggedIn, quiet: true },
    onSuccess: useEntry(onDone),
  });
}

/** Logs in with nothing but a passkey. */
export function usePasskeyLogin(onDone: (user: User) => void) {
  return useMutation({
    mutationFn: async () => {
      const credential = await askPasskey(await send(api.POST('/auth/passkey/options')));
      return enter(send(api.POST('/auth/passkey', { body: { credential } })));
    },
    meta: { success: loggedIn, quiet: true },
    onSuccess: useEntry(onDone),
  });
}

/** The calls of the second step of a log-in. */
export function useSecondStep(onDone: (user: User) => void) {
  return {
    options: () => send(api.POST('/auth/login/passkey/options')),
    prove: ({ code = '', credential }: Proof) =>
      enter(
        credential
          ? send(api.POST('/auth/login/passkey', { body: { credential } }))
          : send(api.POST('/auth/login/code', { body: { code } })),
      ),
    success: loggedIn,
    onDone: useEntry(onDone),
  };
}

/** Creates the account in the page's language and with the referral code kept on this device; the code is removed afterwards. */
export function useSignup(onDone: (user: User) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (values: SignupValues) =>
      send(
        api.POST('/auth/signup', {
          body: { ...values, referredBy: storedReferral(), language: currentLanguage(), termsVersion: TERMS_VERSION },
        }),
      ),
    meta: { success: () => translate(auth, 'signup.done'), fallback: () => translate(auth, 'failed') },
    onSuccess: (user) => {
      forgetReferral();
      queryClient.setQueryData(keys.me, user);
      onDone(user);
    },
  });
}
