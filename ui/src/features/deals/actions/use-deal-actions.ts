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

type Asked = Action | 'trouble' | 'terms';

/** The server's clock is known to the second; this allows for the rest, in milliseconds. */
const TOLERANCE = 5_000;

/**
 * Only who started an operation may query it; the other party learns from the deal. A split is
 * accepted on another page, and after the time of the next automatic action the operation may be
 * the clock's.
 */
function mayFollow({ operation, nextActionAt }: DealDetail, side: Side, now: number): boolean {
  if (nextActionAt !== null && Date.parse(nextActionAt) - TOLERANCE <= now) return false;
  return operation?.kind === 'deal_refund' || (side === 'buyer' && operation?.kind !== 'deal_settle');
}

/** The action of the deal's operation, also between its end and the reloaded deal. */
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

/** The action whose toast reports a found operation; a refund reads as a cancellation. */
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

/** A party's actions on a deal: the open dialog, the running call and its result. */
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
    asked: stillAsked(asked, view),
    ask: (question: Asked) => {
      if (anyBusy) return;
      // The missing amount may be there by now.
      mutation.reset();
      counteroffer.make.reset();
      setAsked(question);
    },
    close,
    run: (action: Action) => {
      if (!anyBusy) mutation.run({ action, terms: deal.terms });
    },
    /** For forms with a text, which await the response. */
    say: (action: WordsAction, words: Words) => (anyBusy ? undefined : mutation.runAsync({ action, words, terms: deal.terms })),
    failureOf: (action: Action) => (mutation.variables?.action === action ? mutation.error : null),
    isBusy: (action: Action) => action === inFlight || (running !== null && sameCall(action, running)),
    anyBusy,
    counteroffer,
    /** Missing US dollars in the last attempt. */
    shortfall: isApiError(mutation.error, 'insufficient_balance') ? mutation.error.shortfall : undefined,
    /** The last refusal, if caused by a limit of the account. */
    limit: isLimit(mutation.error) ? mutation.error : null,
  };
}

export type DealActions = ReturnType<typeof useDealActions>;
