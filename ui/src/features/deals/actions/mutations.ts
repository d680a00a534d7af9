import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { DealAnswer, DealDetail, Pending } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useMoneyAction } from '@/entities/wallet/operations';
import { api, idempotent, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';
import type { CallResult } from '@/lib/outcomes';
import { type LazyText, queryClient } from '@/lib/query-client';
import { notifyActionFailure } from '../failures';
import { removeDealFromTabs } from '../list/queries';
import { dealText, isGone, removedText } from './toast-texts';

/** Puts the answer of an action on the page at once: the changed deal, or that money is on its way. */
function show(id: string, answer: DealAnswer | Pending): DealAnswer | Pending {
  queryClient.setQueryData<DealDetail>(keys.deal(id), (old) => {
    if ('deal' in answer) return answer.deal;
    return old && { ...old, operation: answer.operation };
  });
  return answer;
}

const OUTDATED: readonly number[] = [403, 404, 409];

/** Asking the same again cannot help: the deal is no longer what the page showed. */
function outdated(error: unknown): boolean {
  return isApiError(error) && OUTDATED.includes(error.status) && error.code !== 'insufficient_balance';
}

/** Says a failure; where the deal is no longer what the page showed, the question goes and the page is read again. */
function sayFailure(error: unknown, fallback: LazyText, close: () => void): void {
  notifyActionFailure(error, fallback());
  if (!outdated(error)) return;
  close();
  void queryClient.invalidateQueries({ queryKey: keys.deals });
}

/**
 * Declining a deal, or taking it back: the deal is gone afterwards. Paid by then and never accepted, it stays as cancelled, and the buyer has
 * everything back.
 */
export function useRemoval(id: string, close: () => void) {
  const navigate = useNavigate();
  const leave = async () => {
    removeDealFromTabs(id);
    // First away from the page, then out of the cache: asked for once more, the deal would be "not found".
    await navigate({ to: '/deal', search: { tab: 'pending' } });
    queryClient.removeQueries({ queryKey: keys.deal(id) });
    void queryClient.invalidateQueries({ queryKey: keys.dealList });
  };
  return useMoneyAction({
    call: async (_nothing: undefined, key) => {
      const answer = await send(api.DELETE('/deals/{id}', { params: { path: { id } }, headers: idempotent(key) }));
      if ('operation' in answer) {
        close();
        queryClient.setQueryData<DealDetail>(keys.deal(id), (old) => old && { ...old, operation: answer.operation });
      }
      return answer;
    },
    success: removedText,
    fallback: dealText('toast.declineFailed'),
    quiet: true,
    onDone: async (done) => {
      if (isGone(done)) await leave();
      else close();
    },
    onFailed: (error) => sayFailure(error, dealText('toast.declineFailed'), close),
  });
}

type Texts = { success: LazyText; fallback: LazyText };
const ACCEPT = '/deals/accept/{id}';
type StepPath = typeof ACCEPT | '/deals/deliver/{id}' | '/deals/reset-delivery/{id}' | '/deals/decline-cancellation/{id}';

/** A change of the deal that moves no money; made twice, it is made once. */
export function useStep(path: StepPath, id: string, { success, fallback }: Texts, close: () => void) {
  return useMutation({
    mutationFn: async () => {
      const at = { params: { path: { id } } };
      return show(id, await (path === ACCEPT ? send(api.PUT(path, at)) : send(api.POST(path, at))));
    },
    meta: { success, quiet: true },
    onError: (error) => sayFailure(error, fallback, close),
    onSuccess: () => {
      close();
      void queryClient.invalidateQueries({ queryKey: keys.deals });
    },
  });
}

type MoneyStepPath = '/deals/pay/{id}' | '/deals/complete/{id}' | '/deals/cancel/{id}' | '/deals/accept-cancellation/{id}';
type MoneyStepTexts = { success: (done: CallResult) => string; fallback: LazyText };

/** A change that moves money, or may: with a key of its own, and followed to its end. */
export function useMoneyStep(path: MoneyStepPath, id: string, { success, fallback }: MoneyStepTexts, close: () => void) {
  return useMoneyAction({
    call: async (_nothing: undefined, key) => {
      const answer = await send(api.POST(path, { params: { path: { id } }, headers: idempotent(key) }));
      // From here on the page tells how it goes, and its user may leave it.
      if (!('deal' in answer)) close();
      return show(id, answer);
    },
    success,
    fallback,
    quiet: true,
    onDone: close,
    onFailed: (error) => sayFailure(error, fallback, close),
  });
}
