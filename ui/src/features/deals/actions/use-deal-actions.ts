import { useState } from 'react';
import { isUnaccepted, type Side } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { useOperation } from '@/entities/wallet/operations';
import { isApiError } from '@/lib/errors';
import type { DealView } from '../deal-view';
import { type Action, allowedActions } from './allowed-actions';
import { useMoneyStep, useRemoval, useStep } from './mutations';
import { cancelledText, dealText, settledTexts, troubleText } from './toast-texts';

/** What is asked on the page: an action to confirm, or which one it shall be. */
type Asked = Action | 'trouble';

/** Only who started an operation may ask how it goes; the other's page learns from the deal itself. */
function mayFollow(kind: string | undefined, side: Side): boolean {
  return side === 'buyer' || kind === 'deal_refund';
}

function useMutations({ deal: { _id: id } }: DealView, close: () => void) {
  const text = { success: dealText('toast.activated'), fallback: dealText('toast.activateFailed') };
  const pay = useMoneyStep('/deals/pay/{id}', id, text, close);
  const released = { success: dealText('toast.completed'), fallback: dealText('toast.completeFailed') };
  const release = useMoneyStep('/deals/complete/{id}', id, released, close);
  const cancelled = { success: cancelledText, fallback: troubleText('toast.cancelFailed') };
  const cancel = useMoneyStep('/deals/cancel/{id}', id, cancelled, close);
  const accepted = { success: cancelledText, fallback: troubleText('toast.acceptFailed') };
  const accept = useMoneyStep('/deals/accept-cancellation/{id}', id, accepted, close);
  const delivered = { success: dealText('toast.delivered'), fallback: dealText('toast.deliverFailed') };
  const deliver = useStep('/deals/deliver/{id}', id, delivered, close);
  const changes = { success: troubleText('toast.reset'), fallback: dealText('toast.failed') };
  const reset = useStep('/deals/reset-delivery/{id}', id, changes, close);
  const refused = { success: troubleText('toast.refused'), fallback: troubleText('toast.refuseFailed') };
  const refuse = useStep('/deals/decline-cancellation/{id}', id, refused, close);
  const agreed = { success: dealText('toast.agreed'), fallback: dealText('toast.agreeFailed') };
  const agree = useStep('/deals/accept/{id}', id, agreed, close);
  const remove = useRemoval(id, close);
  return { agree, pay, release, cancel, accept, deliver, reset, refuse, remove };
}

type Mutations = ReturnType<typeof useMutations>;

/** What is under way, here or elsewhere: while the deal carries an operation money is in flight, also in the moment between its end and the fresh deal. */
function busyWith({ deal, side }: DealView, calls: Mutations): Record<Action, boolean> {
  const kind = deal.operation?.kind;
  const cancelling = calls.cancel.phase !== 'idle';
  const refunding = kind === 'deal_refund';
  const declining = calls.remove.phase !== 'idle';
  const answering = side === 'seller' && deal.cancellationRequested;
  return {
    pay: calls.pay.phase !== 'idle' || kind === 'deal_pay',
    release: calls.release.phase !== 'idle' || kind === 'deal_complete',
    deliver: calls.deliver.isPending,
    agree: calls.agree.isPending,
    remove: declining,
    giveBack: declining || (refunding && side === 'seller' && isUnaccepted(deal)),
    reset: calls.reset.isPending,
    request: cancelling,
    leave: cancelling || refunding,
    accept: calls.accept.phase !== 'idle' || (refunding && answering),
    refuse: calls.refuse.isPending,
    giveUp: cancelling || (refunding && !answering),
  };
}

function stillAsked(asked: Asked | null, view: DealView): Asked | null {
  if (asked === null || view.deal.operation !== undefined) return null;
  if (asked === 'trouble') return isOpen(view.deal.status) ? asked : null;
  return allowedActions(view).includes(asked) ? asked : null;
}

/** Everything a party can do with a deal: which question is open, what is under way, and how it ends. */
export function useDealActions(view: DealView) {
  const { deal, side } = view;
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const calls = useMutations(view, close);
  useOperation(mayFollow(deal.operation?.kind, side) ? deal.operation : undefined, settledTexts(deal.operation));

  const cancel = () => calls.cancel.run(undefined);
  const runs: Record<Action, () => void> = {
    pay: () => calls.pay.run(undefined),
    release: () => calls.release.run(undefined),
    accept: () => calls.accept.run(undefined),
    request: cancel,
    leave: cancel,
    giveUp: cancel,
    deliver: calls.deliver.mutate,
    reset: calls.reset.mutate,
    refuse: calls.refuse.mutate,
    agree: calls.agree.mutate,
    remove: () => calls.remove.run(undefined),
    giveBack: () => calls.remove.run(undefined),
  };
  const busy = busyWith(view, calls);
  const anyBusy = deal.operation !== undefined || Object.values(busy).some(Boolean);
  return {
    /** The question on the screen. */
    asked: stillAsked(asked, view),
    ask: (question: Asked) => {
      if (anyBusy) return;
      // What an earlier attempt found missing may have been deposited since.
      if (question === 'pay') calls.pay.reset();
      setAsked(question);
    },
    close,
    run: (action: Action) => {
      if (!anyBusy) runs[action]();
    },
    busy,
    anyBusy,
    /** US dollars that the server found missing in the latest attempt. */
    shortfall: isApiError(calls.pay.error, 'insufficient_balance') ? calls.pay.error.shortfall : undefined,
  };
}

export type DealActions = ReturnType<typeof useDealActions>;
