import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Deal, DealAnswer, DealDetail, Operation, Pending } from '@/api/contract';
import { type Key, translate } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { api, idempotent, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';
import { useMoneyAction, useOperation } from '@/lib/operations';
import { keys } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';
import { type DealView, isOpen } from './deal';
import { sayActionFailed } from './failures';

export type Action = 'pay' | 'release' | 'deliver' | 'remove';

/** Which actions the deal has for this side now. */
export function allowed({ deal, side }: Pick<DealView, 'deal' | 'side'>): readonly Action[] {
  if (deal.status === 'Pending') return side === 'buyer' ? ['pay', 'remove'] : ['remove'];
  if (!isOpen(deal.status)) return [];
  if (side === 'buyer') return ['release'];
  return deal.status === 'Delivered' ? [] : ['deliver'];
}

type ToastKey = Extract<Key<typeof deals>, `toast.${string}`>;

function say(key: ToastKey): () => string {
  return () => translate(deals, key);
}

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

function useRemoval(id: string) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => send(api.DELETE('/deals/{id}', { params: { path: { id } } })),
    meta: { success: say('toast.declined'), quiet: true },
    onSuccess: async () => {
      queryClient.setQueryData<Deal[]>(keys.dealList, (list) => list?.filter((deal) => deal._id !== id));
      // First away from the page, then out of the cache: asked for once more, the deal would be "not found".
      await navigate({ to: '/deal', search: { tab: 'pending' } });
      queryClient.removeQueries({ queryKey: keys.deal(id) });
      await queryClient.invalidateQueries({ queryKey: keys.dealList });
    },
  });
}

function useDelivery(id: string, onDone: () => void) {
  return useMutation({
    mutationFn: async () => show(id, await send(api.POST('/deals/deliver/{id}', { params: { path: { id } } }))),
    meta: { success: say('toast.delivered'), quiet: true },
    onSuccess: () => {
      onDone();
      void queryClient.invalidateQueries({ queryKey: keys.deals });
    },
  });
}

function settledTexts(operation: Operation | undefined) {
  if (operation?.kind === 'deal_pay') return { success: say('toast.activated'), fallback: say('toast.activateFailed') };
  if (operation?.kind === 'deal_complete') return { success: say('toast.completed'), fallback: say('toast.completeFailed') };
  return { success: say('toast.completed'), fallback: say('toast.failed') };
}

/** Says a failure; where the deal is no longer what the page showed, the question goes and the page is read again. */
function useFailure(close: () => void) {
  return (fallback: () => string) => (error: unknown) => {
    sayActionFailed(error, fallback());
    if (!outdated(error)) return;
    close();
    void queryClient.invalidateQueries({ queryKey: keys.deals });
  };
}

type MoneyPath = '/deals/pay/{id}' | '/deals/complete/{id}';
type Failed = ReturnType<typeof useFailure>;

function useMove(path: MoneyPath, id: string, done: ToastKey, failed: ToastKey, close: () => void, onFailure: Failed) {
  return useMoneyAction({
    call: async (_nothing: undefined, key) => {
      const answer = await send(api.POST(path, { params: { path: { id } }, headers: idempotent(key) }));
      // From here on the page tells how it goes, and its user may leave it.
      if (!('deal' in answer)) close();
      return show(id, answer);
    },
    success: say(done),
    fallback: say(failed),
    quiet: true,
    onDone: close,
    onFailed: onFailure(say(failed)),
  });
}

/** Everything a party can do with a deal: which question is open, what is under way, and how it ends. */
export function useDealActions(view: DealView) {
  const { deal, side } = view;
  const id = deal._id;
  const [asked, setAsked] = useState<Action | null>(null);
  const close = () => setAsked(null);
  const failed = useFailure(close);
  const pay = useMove('/deals/pay/{id}', id, 'toast.activated', 'toast.activateFailed', close, failed);
  const release = useMove('/deals/complete/{id}', id, 'toast.completed', 'toast.completeFailed', close, failed);
  const delivery = useDelivery(id, close);
  const removal = useRemoval(id);
  // Only the buyer started it and may ask how it goes; the seller's page learns from the deal itself.
  useOperation(side === 'buyer' ? deal.operation : undefined, settledTexts(deal.operation));

  const runs: Record<Action, () => void> = {
    pay: () => pay.run(undefined),
    release: () => release.run(undefined),
    deliver: () => delivery.mutate(undefined, { onError: failed(say('toast.deliverFailed')) }),
    remove: () => removal.mutate(undefined, { onError: failed(say('toast.declineFailed')) }),
  };
  // While the deal carries an operation money is in flight, also in the moment between its end and the fresh deal.
  const inFlight = deal.operation !== undefined;
  const busy: Record<Action, boolean> = {
    pay: pay.phase !== 'idle' || (inFlight && deal.status === 'Pending'),
    release: release.phase !== 'idle' || (inFlight && deal.status !== 'Pending'),
    deliver: delivery.isPending,
    remove: removal.isPending || removal.isSuccess,
  };
  const anyBusy = Object.values(busy).some(Boolean);
  const open = asked !== null && !inFlight && allowed(view).includes(asked) ? asked : null;
  return {
    /** The question on the screen. */
    asked: open,
    ask: (action: Action) => {
      if (anyBusy) return;
      // What an earlier attempt found missing may have been deposited since.
      if (action === 'pay') pay.reset();
      setAsked(action);
    },
    close,
    run: (action: Action) => {
      if (!anyBusy) runs[action]();
    },
    busy,
    anyBusy,
    /** US dollars that the server found missing in the latest attempt. */
    shortfall: isApiError(pay.error, 'insufficient_balance') ? pay.error.shortfall : undefined,
  };
}

export type DealActions = ReturnType<typeof useDealActions>;
