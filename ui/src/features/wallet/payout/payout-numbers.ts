import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { PaymentMethod } from '@/api/contract';
import { translate } from '@/i18n';
import { payout } from '@/i18n/en/wallet';
import { api, idempotent, send } from '@/lib/api';
import { newKey } from '@/lib/idempotency';
import { notifyFailure } from '@/lib/notify-failure';
import { outcomeText } from '@/lib/outcomes';

export const MAX_NUMBERS = 10;

export const payoutNumbersQuery = queryOptions({
  queryKey: ['payout-numbers'] as const,
  queryFn: ({ signal }) => send(api.GET('/wallet/payout-numbers', { signal })),
  // The form works without them; the page shows failures.
  meta: { quiet: true },
});

type NewNumber = { name: string; paymentMethod: PaymentMethod; phoneNumber: string };

/** Saves the number of an accepted withdrawal. A failure does not affect the withdrawal. */
export async function saveNumber(queryClient: QueryClient, body: NewNumber): Promise<void> {
  const known = queryClient.getQueryData(payoutNumbersQuery.queryKey)?.numbers ?? [];
  const same = ({ paymentMethod, phoneNumber }: NewNumber) =>
    paymentMethod === body.paymentMethod && phoneNumber === body.phoneNumber;
  if (known.some(same)) return;
  try {
    await send(api.POST('/wallet/payout-numbers', { body, headers: idempotent(newKey()) }));
  } catch (error) {
    notifyFailure(translate(payout, 'saveFailed'), error);
  }
  await queryClient.invalidateQueries({ queryKey: payoutNumbersQuery.queryKey });
}

function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: payoutNumbersQuery.queryKey });
}

export function useRenameNumber(id: string, onDone: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { name: string }) => send(api.PATCH('/wallet/payout-numbers/{id}', { params: { path: { id } }, body })),
    meta: { quiet: true, success: (done) => outcomeText(done, translate(payout, 'rename.done')) },
    onSuccess: onDone,
    onSettled: () => void refresh(),
  });
}

export function useRemoveNumber(id: string, onDone: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => send(api.DELETE('/wallet/payout-numbers/{id}', { params: { path: { id } } })),
    meta: { quiet: true, success: (done) => outcomeText(done, translate(payout, 'remove.done')) },
    onSuccess: onDone,
    onSettled: () => void refresh(),
  });
}
