import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { leavePage } from '@/entities/user/page-owner';
import { translate } from '@/i18n';
import { member } from '@/i18n/en/member';
import { api, send } from '@/lib/api';

export function useLogout() {
  const router = useRouter();
  return useMutation({
    mutationFn: () => send(api.POST('/auth/logout')),
    meta: { success: () => translate(member, 'loggedOut'), fallback: () => translate(member, 'logoutFailed') },
    onSuccess: () => leavePage(router),
  });
}
