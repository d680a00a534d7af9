import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { leavePage } from '@/entities/user/page-owner';
import { translate } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { api, send } from '@/lib/api';

/** Ends the session; nothing of it stays in this tab. */
export function useLogout() {
  const router = useRouter();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/logout')),
    meta: { success: () => translate(shell, 'loggedOut'), fallback: () => translate(shell, 'logoutFailed') },
    onSuccess: () => leavePage(router),
  });
}
