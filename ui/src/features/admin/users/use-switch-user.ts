import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '@/entities/keys';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { translate } from '@/i18n';
import { adminUsers } from '@/i18n/en/admin-users';
import { api, send } from '@/lib/api';
import { errorAdvice, errorText, isApiError } from '@/lib/errors';
import { notify } from '@/lib/toast';

/** Locks or unlocks a user. Asks for the password if the server requires it. */
export function useSwitchUser(id: string) {
  const queryClient = useQueryClient();
  const [outcome, setOutcome] = useState<string | null>(null);
  const params = { path: { id } };
  const change = useMutation({
    mutationFn: (reason: string | null) =>
      withConfirmation(() =>
        reason === null
          ? send(api.POST('/admin/users/{id}/enable', { params }))
          : send(api.POST('/admin/users/{id}/disable', { params, body: { reason } })),
      ),
    meta: { quiet: true },
    onSuccess: ({ user }, reason) => {
      const done = reason === null ? 'enable.done' : 'disable.done';
      setOutcome(translate(adminUsers, done, { name: user.username }));
      notify.success(translate(adminUsers, reason === null ? 'toast.enabled' : 'toast.disabled'));
    },
    onError: (error) => {
      // The admin cancelled the password dialog.
      if (isApiError(error, 'password_required') || isApiError(error, 'unauthenticated')) return;
      notify.error(errorText(error), errorAdvice(error) ?? undefined);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.adminUsers }),
  });
  const run = (reason: string | null, done: () => void) => {
    if (!change.isPending) change.mutate(reason, { onSuccess: done });
  };
  return {
    outcome,
    busy: change.isPending,
    disable: (reason: string, done: () => void) => run(reason, done),
    enable: (done: () => void) => run(null, done),
  };
}
