import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { DealProof, HeldMoney } from '@/api/contract';
import { keys } from '@/entities/keys';
import { translate } from '@/i18n';
import { proof } from '@/i18n/en/deal-links';
import { api, send } from '@/lib/api';

const HELD_EVERY = 10_000;

export function proofQuery(id: string) {
  return queryOptions({
    queryKey: keys.dealProof(id),
    queryFn: ({ signal }): Promise<DealProof> => send(api.GET('/deals/{id}/proof', { params: { path: { id } }, signal })),
    meta: { quiet: true },
  });
}

export function heldQuery(code: string) {
  return queryOptions({
    queryKey: ['held', code] as const,
    queryFn: ({ signal }): Promise<HeldMoney> => send(api.GET('/held/{code}', { params: { path: { code } }, signal })),
    refetchInterval: HELD_EVERY,
    refetchOnWindowFocus: 'always',
    meta: { quiet: true },
  });
}

export const heldUrl = (code: string) => `${window.location.origin}/held/${code}`;

export function useSwitchProof(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    meta: { fallback: () => translate(proof, 'failed') },
    mutationFn: (shown: boolean) => send(api.PUT('/deals/{id}/proof', { params: { path: { id } }, body: { shown } })),
    onSuccess: (changed) => {
      queryClient.setQueryData(keys.dealProof(id), changed);
      void queryClient.invalidateQueries({ queryKey: keys.deal(id) });
    },
  });
}
