import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { translate } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { api, send } from '@/lib/api';
import { forgetUnsent } from '@/lib/chat/unsent';
import { keys } from '@/lib/queries';
import { forgetLoaded, queryClient } from '@/lib/query-client';

/** Ends the session and forgets everything that was loaded in it, and the messages that were not sent. */
export function useLogout() {
  const router = useRouter();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/logout')),
    meta: { success: () => translate(shell, 'loggedOut'), fallback: () => translate(shell, 'logoutFailed') },
    onSuccess: async () => {
      forgetUnsent();
      queryClient.setQueryData(keys.me, null);
      await router.navigate({ to: '/login' });
      forgetLoaded();
    },
  });
}
