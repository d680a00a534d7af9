import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { requiredMethods } from '@/entities/user/second-factor/methods';
import { askPasskey, isDeviceFailure } from '@/entities/user/second-factor/passkey';
import type { Proof } from '@/entities/user/second-factor/use-proof';
import { currentLanguage, translate } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { api, send } from '@/lib/api';
import { errorAdvice, errorText, isApiError } from '@/lib/errors';
import { safeRedirect } from '@/lib/redirect';
import { TERMS_VERSION } from '@/lib/rules';
import { forgetReferral, storedReferral } from './referral';
import type { LoginValues, SignupValues } from './schemas';

export function loginErrorText(error: unknown): string {
  if (isApiError(error) && error.status === 429) return translate(auth, 'login.locked');
  if (isApiError(error, 'invalid_credentials')) return translate(auth, 'login.wrong');
  return errorText(error, translate(auth, 'failed'));
}

/** Suspended or banned; the page keeps the message (an appeal link was mailed). */
export const isSuspended = (error: unknown) => isApiError(error) && /^login_(suspended|banned)$/.test(error.reason);

export function passkeyErrorText(error: unknown): string {
  const text = isDeviceFailure(error) ? translate(auth, 'login.passkeyFailed') : errorText(error, translate(auth, 'failed'));
  return `${text} ${errorAdvice(error) ?? translate(auth, 'login.passkeyAdvice')}`;
}

const loggedIn = () => translate(auth, 'login.done');

async function enter(call: Promise<unknown>): Promise<User> {
  await call;
  return send(api.GET('/auth/check'));
}

function useEntry(onDone: (user: User) => void) {
  const queryClient = useQueryClient();
  return (user: User) => {
    queryClient.setQueryData(keys.me, user);
    onDone(user);
  };
}

/** If a second step is needed, it fails with that refusal, after the step's code is loaded. */
export function useLogin(onDone: (user: User) => void, loadSecondStep: () => Promise<unknown>) {
  return useMutation({
    mutationFn: async (body: LoginValues) => {
      try {
        return await enter(send(api.POST('/auth/login', { body })));
      } catch (error) {
        if (requiredMethods(error)) await loadSecondStep();
        throw error;
      }
    },
    gcTime: 0, // contains the password
    meta: { success: loggedIn, quiet: true },
    onSuccess: useEntry(onDone),
  });
}

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

/** Signs up in the page's language, with the device's referral code, which is then removed. */
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

/** Replaces the form with the requested page, so that Back leads before the form. */
export function useEntrance(redirect: string | undefined) {
  const { history } = useRouter();
  return (user: User) => history.replace(safeRedirect(redirect, user), { entered: true });
}
