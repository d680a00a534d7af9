import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { DealDetail, DealInvite, InviteOffer } from '@/api/contract';
import { keys } from '@/entities/keys';
import { translate } from '@/i18n';
import { invite } from '@/i18n/en/invite';
import { api, idempotent, send } from '@/lib/api';
import { useKeyed } from '@/lib/idempotency';

export const invitesQuery = queryOptions({
  queryKey: keys.invites,
  queryFn: ({ signal }): Promise<DealInvite[]> => send(api.GET('/invites', { signal })),
});

export function offerQuery(code: string) {
  return queryOptions({
    queryKey: [...keys.invites, code] as const,
    queryFn: ({ signal }): Promise<InviteOffer> => send(api.GET('/invites/{code}', { params: { path: { code } }, signal })),
    retry: false,
    meta: { fallback: () => translate(invite, 'failed') },
  });
}

export const inviteUrl = (code: string) => `${window.location.origin}/d/${code}`;

export function useJoin(code: string, onJoined: (deal: DealDetail) => void) {
  const queryClient = useQueryClient();
  const join = useKeyed((_: null, key) =>
    send(api.POST('/invites/{code}/join', { params: { path: { code } }, headers: idempotent(key) })),
  );
  return useMutation({
    meta: { fallback: () => translate(invite, 'joinFailed'), success: () => translate(invite, 'joined') },
    mutationFn: () => join(null),
    onSuccess: (deal) => {
      void queryClient.invalidateQueries({ queryKey: keys.deals });
      onJoined(deal);
    },
    // It may have been used or withdrawn meanwhile.
    onError: () => queryClient.invalidateQueries({ queryKey: keys.invites }),
  });
}

export function useWithdraw(onWithdrawn: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { fallback: () => translate(invite, 'withdrawFailed'), success: () => translate(invite, 'withdrawn') },
    mutationFn: (code: string) => send(api.DELETE('/invites/{code}', { params: { path: { code } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.invites }),
    onSuccess: onWithdrawn,
  });
}
