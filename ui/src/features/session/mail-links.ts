import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { keys } from '@/entities/keys';
import { refreshUser } from '@/entities/user/guards';
import { translate } from '@/i18n';
import { account } from '@/i18n/en/account';
import { api, send } from '@/lib/api';
import { ApiError, errorText } from '@/lib/errors';
import { outcomeText } from '@/lib/outcomes';
import type { ForgotValues } from './schemas';

/** The token in the fragment or query of a mailed link, or "". */
function tokenIn({ hash, searchStr }: { hash: string; searchStr: string }): string {
  return new URLSearchParams(hash).get('token') ?? new URLSearchParams(searchStr).get('token') ?? '';
}

/**
 * The token of the mailed link that opened the page, or "". It is removed from the address at once,
 * so that neither the address bar nor the history keeps it.
 */
export function useLinkToken(): string {
  const { history } = useRouter();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const found = useLocation({ select: tokenIn });
  const [token, setToken] = useState(found);
  if (found !== '' && found !== token) setToken(found);
  useEffect(() => {
    if (found !== '') history.replace(path);
  }, [found, history, path]);
  return token;
}

export function forgotErrorText(error: unknown): string {
  if (error instanceof ApiError && error.status === 404) return translate(account, 'forgot.unknown');
  return errorText(error, translate(account, 'failed'));
}

/** Reports whether the link is unknown, used or expired; the server does not tell which. */
export function isBadToken(error: unknown): boolean {
  return error instanceof ApiError && error.fields.token !== undefined;
}

export function useForgot() {
  return useMutation({
    mutationFn: (body: ForgotValues) => send(api.POST('/auth/forgot-password', { body })),
    meta: { success: (done) => outcomeText(done, translate(account, 'forgot.sent')), quiet: true },
  });
}

/** Sets the new password. That ends all sessions of the account, so the page's user is reloaded. */
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

/** Verifies the address. A used link leaves the user verified, so the session is checked anyway. */
export function useVerify(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/verify-email', { body: { token } })),
    meta: { quiet: true },
    onSettled: () => refreshUser(queryClient),
  });
}

export function useConfirmEmail(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/email/confirm', { body: { token } })),
    meta: { quiet: true },
    onSuccess: () => refreshUser(queryClient),
  });
}

/** Undoes a change of the address. That ends all sessions, so the page's user is reloaded. */
export function useUndoEmail(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/email/undo', { body: { token } })),
    meta: { quiet: true },
    onSuccess: () => refreshUser(queryClient),
  });
}

export function useConfirmWithdrawal(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/confirm-withdrawal', { body: { token } })),
    meta: { quiet: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.withdrawals }),
  });
}

/** Stops somebody else's withdrawal. That ends all sessions, so the page's user is reloaded. */
export function useStopWithdrawal(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/stop-withdrawal', { body: { token } })),
    meta: { quiet: true },
    onSuccess: () => refreshUser(queryClient),
  });
}

/** Removes somebody else's two-step login. That ends all sessions, so the user is reloaded. */
export function useRemoveFactor(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/remove-factor', { body: { token } })),
    meta: { quiet: true },
    onSuccess: () => refreshUser(queryClient),
  });
}

export function useUnsubscribe(token: string) {
  return useMutation({
    mutationFn: () => send(api.POST('/mail/unsubscribe', { params: { query: { token } } })),
    meta: { quiet: true },
  });
}
