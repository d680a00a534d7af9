import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewTOTP } from '@/api/contract';
import { keys } from '@/entities/keys';
import { refreshUser } from '@/entities/user/guards';
import { isUnconfirmed, withConfirmation } from '@/entities/user/second-factor/confirmation';
import { isCancelled, makePasskey } from '@/entities/user/second-factor/passkey';
import { translate } from '@/i18n';
import { security } from '@/i18n/en/security';
import { api, send } from '@/lib/api';
import { errorAdvice, errorText } from '@/lib/errors';
import { pollEvery } from '@/lib/realtime/live';
import { notify } from '@/lib/toast';

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => send(api.GET('/auth/sessions', { signal })),
  meta: { quiet: true },
});

export const activityQuery = queryOptions({
  queryKey: ['account', 'activity'],
  queryFn: ({ signal }) => send(api.GET('/auth/activity', { signal })),
  meta: { quiet: true },
});

const WHILE_PREPARING = 10_000;

/**
 * The latest copy of one's data, or null. Polled while it is being made, in case its event is lost.
 */
export const dataExportQuery = queryOptions({
  queryKey: keys.dataExport,
  queryFn: ({ signal }) => send(api.GET('/auth/data-export', { signal })),
  refetchInterval: ({ state }) => (state.data?.export?.status === 'pending' ? pollEvery(WHILE_PREPARING) : false),
  meta: { quiet: true },
});

export const closingQuery = queryOptions({
  queryKey: ['account', 'closing'] as const,
  queryFn: ({ signal }) => send(api.GET('/auth/close', { signal })),
  // A deal may end at any time, here or elsewhere.
  staleTime: 0,
  meta: { quiet: true },
});

/** Drops the errors of dialogs that the user closed. */
export const withoutCancelled = (error: unknown): unknown => (isUnconfirmed(error) || isCancelled(error) ? null : error);

/** Reloads the second factor and the sessions, which most changes end. */
function useRefresh() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.secondFactor }),
      queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
      refreshUser(queryClient),
    ]);
}

/** Fetches a secret for the authenticator app, which `useConfirmTotp` activates. */
export function useBeginTotp(onDone: (fresh: NewTOTP) => void) {
  return useMutation({
    mutationFn: () => withConfirmation(() => send(api.POST('/auth/second-factor/totp'))),
    gcTime: 0, // contains the secret
    meta: { quiet: true },
    onSuccess: onDone,
    onError: (error) => {
      if (withoutCancelled(error)) notify.error(errorText(error), errorAdvice(error) ?? undefined);
    },
  });
}

export function useConfirmTotp(onDone: (codes: string[]) => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { code: string }) => withConfirmation(() => send(api.POST('/auth/second-factor/totp/confirm', { body }))),
    gcTime: 0,
    meta: { quiet: true, success: () => translate(security, 'appOn') },
    onSuccess: ({ backupCodes }) => {
      onDone(backupCodes);
      void refresh();
    },
  });
}

export function useRemoveTotp(onDone: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => withConfirmation(() => send(api.POST('/auth/second-factor/totp/remove'))),
    meta: { quiet: true, success: () => translate(security, 'off.done') },
    onSuccess: onDone,
    onSettled: () => void refresh(),
  });
}

/** Creates a passkey. The first one comes with backup codes. */
export function useAddPasskey(onDone: (codes: string[] | null) => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ name }: { name: string }) => {
      const credential = await makePasskey(await withConfirmation(() => send(api.POST('/auth/second-factor/passkeys/options'))));
      return withConfirmation(() => send(api.POST('/auth/second-factor/passkeys', { body: { name, credential } })));
    },
    gcTime: 0,
    meta: { quiet: true, success: () => translate(security, 'add.done') },
    onSuccess: ({ backupCodes }) => {
      onDone(backupCodes);
      void refresh();
    },
  });
}

export function useRenamePasskey(id: string, onDone: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { name: string }) =>
      send(api.PATCH('/auth/second-factor/passkeys/{id}', { params: { path: { id } }, body })),
    meta: { quiet: true, success: () => translate(security, 'rename.done') },
    onSuccess: onDone,
    onSettled: () => void refresh(),
  });
}

export function useRemovePasskey(id: string, onDone: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => withConfirmation(() => send(api.DELETE('/auth/second-factor/passkeys/{id}', { params: { path: { id } } }))),
    meta: { quiet: true, success: () => translate(security, 'remove.done') },
    onSuccess: onDone,
    onSettled: () => void refresh(),
  });
}

export function useNewCodes(onDone: (codes: string[]) => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => withConfirmation(() => send(api.POST('/auth/second-factor/backup-codes'))),
    gcTime: 0,
    meta: { quiet: true },
    onSuccess: ({ backupCodes }) => {
      onDone(backupCodes);
      void refresh();
    },
  });
}
