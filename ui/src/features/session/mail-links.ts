import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { refreshUser } from '@/entities/user/guards';
import { translate } from '@/i18n';
import { account } from '@/i18n/en/account';
import { api, send } from '@/lib/api';
import { ApiError, errorText } from '@/lib/errors';
import { outcomeText } from '@/lib/outcomes';
import type { ForgotValues } from './schemas';

/** The text of a request for a new password that failed: an unknown address, or the server's own. */
export function forgotErrorText(error: unknown): string {
  if (error instanceof ApiError && error.status === 404) return translate(account, 'forgot.unknown');
  return errorText(error, translate(account, 'failed'));
}

/** Whether the link is the trouble: unknown, used, or too old. The server does not tell which. */
export function isBadToken(error: unknown): boolean {
  return error instanceof ApiError && error.fields.token !== undefined;
}

/** Has a link for a new password mailed. The form shows failures itself. */
export function useForgot() {
  return useMutation({
    mutationFn: (body: ForgotValues) => send(api.POST('/auth/forgot-password', { body })),
    meta: { success: (done) => outcomeText(done, translate(account, 'forgot.sent')), quiet: true },
  });
}

/** Sets the new password. That ends all sessions of the account, so who is signed in here is asked again. */
export function useReset(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ password }: { password: string }) => send(api.POST('/auth/reset-password', { body: { password, token } })),
    meta: {
      success: (done) => outcomeText(done, translate(account, 'reset.done')),
      fallback: () => translate(account, 'failed'),
    },
    onSuccess: () => refreshUser(queryClient),
  });
}

/** Verifies the address. A link that was used before leaves the user verified, too: the session is checked again either way. The page shows what came of it. */
export function useVerify(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/verify-email', { body: { token } })),
    meta: { quiet: true },
    onSettled: () => refreshUser(queryClient),
  });
}

/** Gives the account the address to which the link was mailed. */
export function useConfirmEmail(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/email/confirm', { body: { token } })),
    meta: { quiet: true },
    onSuccess: () => refreshUser(queryClient),
  });
}

/** Undoes a change of the address. That ends all sessions of the account, so who is signed in here is asked again. */
export function useUndoEmail(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/email/undo', { body: { token } })),
    meta: { quiet: true },
    onSuccess: () => refreshUser(queryClient),
  });
}

/** Confirms a withdrawal that is held. The page shows what came of it. */
export function useConfirmWithdrawal(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/confirm-withdrawal', { body: { token } })),
    meta: { quiet: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.withdrawals }),
  });
}

/** Stops a withdrawal that was somebody else's. That ends all sessions of the account, so who is signed in here is asked again. */
export function useStopWithdrawal(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/stop-withdrawal', { body: { token } })),
    meta: { quiet: true },
    onSuccess: () => refreshUser(queryClient),
  });
}

/** Removes two-step login that somebody else turned on. That ends all sessions of the account, so who is signed in here is asked again. */
export function useRemoveFactor(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/remove-factor', { body: { token } })),
    meta: { quiet: true },
    onSuccess: () => refreshUser(queryClient),
  });
}

/** Stops the mails of notices. The page shows what came of it. */
export function useUnsubscribe(token: string) {
  return useMutation({
    mutationFn: () => send(api.POST('/mail/unsubscribe', { params: { query: { token } } })),
    meta: { quiet: true },
  });
}
