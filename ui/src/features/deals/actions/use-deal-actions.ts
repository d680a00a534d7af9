import { useState } from 'react';
import type { DealDetail } from '@/api/contract';
import { isUnaccepted, type Side } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { isLimit } from '@/entities/wallet/limits';
import { useOperation } from '@/entities/wallet/operations';
import { isApiError } from '@/lib/errors';
import { serverNow } from '@/lib/server-clock';
import { mayPropose, useCounteroffer } from '../counteroffer/use-counteroffer';
import type { DealView } from '../deal-view';
import { allowedActions } from './allowed-actions';
import { type Action, DEAL_ACTIONS, sameCall, type WordsAction } from './deal-actions';
import type { Words } from './deal-calls';
import { useDealMutation } from './use-deal-mutation';

/** What is asked on the page: an action to confirm, which one it shall be, or what other terms a counter-offer has. */
type Asked = Action | 'trouble' | 'terms';

/** How far the page's idea of the server's time may be off, in milliseconds: it is known by whole seconds. */
const TOLERANCE = 5_000;

/**
 * Only who started an operation may ask how it goes; the other's page learns from the deal itself. A split is accepted on another page, and once
 * the time of the clock's next action has come, the operation may be the clock's.
 */
function mayFollow({ operation, nextActionAt }: DealDetail, side: Side, now: number): boolean {
  if (nextActionAt !== null && Date.parse(nextActionAt) - TOLERANCE <= now) return false;
  return operation?.kind === 'deal_refund' || (side === 'buyer' && operation?.kind !== 'deal_settle');
}

/** The action whose operation the deal carries: money is in flight, also in the moment between its end and the fresh deal. */
function operationAction({ deal, side }: DealView): Action | null {
  switch (deal.operation?.kind) {
    case 'deal_pay':
      return 'pay';
    case 'deal_complete':
      return 'release';
    case 'deal_refund':
      if (side === 'buyer') return 'leave';
      if (deal.cancellationRequested) return 'accept';
      return isUnaccepted(deal) ? 'giveBack' : 'giveUp';
    default:
      return null;
  }
}

/** How an operation that was found on the page ends: a refund with the words of a cancellation, whoever asked for it. */
function settledAction(kind: string | undefined): Action {
  if (kind === 'deal_pay') return 'pay';
  return kind === 'deal_refund' ? 'leave' : 'release';
}

function stillAsked(asked: Asked | null, view: DealView): Asked | null {
  if (asked === null || view.deal.operation !== undefined) return null;
  if (asked === 'terms') return mayPropose(view) ? asked : null;
  if (asked === 'trouble') return isOpen(view.deal.status) ? asked : null;
  return allowedActions(view).includes(asked) ? asked : null;
}

/** Everything a party can do with a deal: which question is open, what is under way, and how it ends. */
export function useDealActions(view: DealView) {
  const { deal, side } = view;
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const mutation = useDealMutation(deal._id, close);
  useOperation(
    mayFollow(deal, side, serverNow()) ? deal.operation : undefined,
    DEAL_ACTIONS[settledAction(deal.operation?.kind)],
  );
  const running = mutation.phase === 'idle' ? null : (mutation.variables?.action ?? null);
  const inFlight = operationAction(view);
  const counteroffer = useCounteroffer(deal._id, close);
  const anyBusy = deal.operation !== undefined || running !== null || counteroffer.isBusy;
  return {
    /** The question on the screen. */
    asked: stillAsked(asked, view),
    ask: (question: Asked) => {
      if (anyBusy) return;
      // What an earlier attempt found missing may be there by now.
      mutation.reset();
      counteroffer.make.reset();
      setAsked(question);
    },
    close,
    run: (action: Action) => {
      if (!anyBusy) mutation.run({ action, terms: deal.terms });
    },
    /** The same with words, for a form, which waits for the answer. */
    say: (action: WordsAction, words: Words) => (anyBusy ? undefined : mutation.runAsync({ action, words, terms: deal.terms })),
    /** Why the latest attempt at it failed. */
    failureOf: (action: Action) => (mutation.variables?.action === action ? mutation.error : null),
    /** Whether it is under way, here or elsewhere. */
    isBusy: (action: Action) => action === inFlight || (running !== null && sameCall(action, running)),
    anyBusy,
    counteroffer,
    /** US dollars that the server found missing in the latest attempt. */
    shortfall: isApiError(mutation.error, 'insufficient_balance') ? mutation.error.shortfall : undefined,
    /** The refusal of the latest attempt, if it was because of a limit of the account. */
    limit: isLimit(mutation.error) ? mutation.error : null,
  };
}

export type DealActions = ReturnType<typeof useDealActions>;
