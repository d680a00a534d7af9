import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { DealDetail, DealInvite, InviteOffer } from '@/api/contract';
import type { SharedLink } from '@/components/share-ways';
import { useDealTitle } from '@/entities/deal/use-deal-line';
import { keys } from '@/entities/keys';
import { translate, useTexts } from '@/i18n';
import { invite as catalogue } from '@/i18n/en/deal-links';
import { api, idempotent, send } from '@/lib/api';
import { useKeyed } from '@/lib/idempotency';
import { centsFromWire, usd } from '@/lib/money';

export const invitesQuery = queryOptions({
  queryKey: keys.invites,
  queryFn: ({ signal }): Promise<DealInvite[]> => send(api.GET('/invites', { signal })),
});

export function offerQuery(code: string) {
  return queryOptions({
    queryKey: [...keys.invites, code] as const,
    queryFn: ({ signal }): Promise<InviteOffer> => send(api.GET('/invites/{code}', { params: { path: { code } }, signal })),
    retry: false,
    meta: { fallback: () => translate(catalogue, 'failed') },
  });
}

export const inviteUrl = (code: string) => `${window.location.origin}/d/${code}`;

export function useJoin(code: string, onJoined: (deal: DealDetail) => void) {
  const queryClient = useQueryClient();
  const join = useKeyed((_: null, key) =>
    send(api.POST('/invites/{code}/join', { params: { path: { code } }, headers: idempotent(key) })),
  );
  return useMutation({
    meta: { fallback: () => translate(catalogue, 'joinFailed'), success: () => translate(catalogue, 'joined') },
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
    meta: { fallback: () => translate(catalogue, 'withdrawFailed'), success: () => translate(catalogue, 'withdrawn') },
    mutationFn: (code: string) => send(api.DELETE('/invites/{code}', { params: { path: { code } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.invites }),
    onSuccess: onWithdrawn,
  });
}

export function useSharedInvite(): (invite: DealInvite) => SharedLink {
  const t = useTexts(catalogue);
  const titleOf = useDealTitle();
  return (invite) => ({
    url: inviteUrl(invite.code),
    title: t('shareTitle'),
    text: t('shareText', { title: titleOf(invite), price: usd(centsFromWire(invite.price)) }),
    phone: invite.phone,
  });
}
