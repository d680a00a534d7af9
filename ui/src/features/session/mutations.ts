import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { currentLanguage, translate } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { api, send } from '@/lib/api';
import { errorText, isApiError } from '@/lib/errors';
import { forgetReferral, storedReferral } from './referral';
import type { LoginValues, SignupValues } from './schemas';

/** The text of a failed login: too many attempts, wrong, or the server's own. */
export function loginErrorText(error: unknown): string {
  if (isApiError(error) && error.status === 429) return translate(auth, 'login.locked');
  if (isApiError(error, 'invalid_credentials')) return translate(auth, 'login.wrong');
  return errorText(error, translate(auth, 'failed'));
}

/** Logs in, then checks the session: what the check answers is the user. */
export function useLogin(onDone: (user: User) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (values: LoginValues): Promise<User> => {
      await send(api.POST('/auth/login', { body: values }));
      return send(api.GET('/auth/check'));
    },
    meta: { success: () => translate(auth, 'login.done'), quiet: true },
    onSuccess: (user) => {
      queryClient.setQueryData(keys.me, user);
      onDone(user);
    },
  });
}

/** Creates the account in the page's language and with the referral code kept on this device; the code is removed afterwards. */
export function useSignup(onDone: (user: User) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (values: SignupValues) =>
      send(api.POST('/auth/signup', { body: { ...values, referredBy: storedReferral(), language: currentLanguage() } })),
    meta: { success: () => translate(auth, 'signup.done'), fallback: () => translate(auth, 'failed') },
    onSuccess: (user) => {
      forgetReferral();
      queryClient.setQueryData(keys.me, user);
      onDone(user);
    },
  });
}
