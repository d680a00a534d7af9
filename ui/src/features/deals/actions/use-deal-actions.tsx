import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import type { DealDetail, Operation } from '@/api/contract';
import { PendingButton } from '@/components/pending-button';
import { markRemoval, unmarkRemoval } from '@/entities/deal/queries';
import { isCountered, isOwnMove, isUnaccepted, type Side } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { keys } from '@/entities/keys';
import { isUnconfirmed } from '@/entities/user/second-factor/confirmation';
import { isLimit } from '@/entities/wallet/limits';
import { useMoneyAction, useOperation } from '@/entities/wallet/operations';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { trouble } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { isApiError } from '@/lib/errors';
import { usd } from '@/lib/money';
import { overlaysClosed } from '@/lib/overlays';
import { serverNow } from '@/lib/server-clock';
import { mayPropose, useCounteroffer } from '../counteroffer/use-counteroffer';
import { type DealView, mayPay } from '../deal-view';
import { notifyActionFailure } from '../failures';
import { removeDealFromTabs } from '../list/queries';
import {
  type Action,
  type AskedAction,
  allowedActions,
  DEAL_ACTIONS,
  isAsked,
  isGone,
  sameCall,
  type Words,
  type WordsAction,
} from './deal-actions';

const OUTDATED: readonly number[] = [403, 404, 409];

/** The deal has changed since it was shown. A limit is the account's, not the deal's. */
function outdated(error: unknown): boolean {
  return isApiError(error) && OUTDATED.includes(error.status) && error.code !== 'insufficient_balance' && !isLimit(error);
}

function dealAfter(answer: object, old: DealDetail | undefined): DealDetail | undefined {
  const { deal, operation } = answer as { deal?: DealDetail; operation?: Operation };
  return deal ?? (old && operation && { ...old, operation });
}

/** An action with its text and pictures; `terms` is the version on the page. */
type Run = { action: Action; terms: number; words?: Words };

const NO_WORDS: Words = { text: '', pictures: [] };

/** Runs one action of a deal at a time. `close` closes its dialog. */
function useDealMutation(id: string, close: () => void) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const here = useStillHere();
  const leave = async () => {
    removeDealFromTabs(queryClient, id);
    close();
    await overlaysClosed();
    // Replaces the page, so that Back does not lead to the removed deal. Its cache goes last:
    // removing it while the page is open would refetch it.
    if (here()) await navigate({ to: '/deal', search: { tab: 'pending' }, replace: true });
    queryClient.removeQueries({ queryKey: keys.deal(id) });
    void queryClient.invalidateQueries({ queryKey: keys.dealList });
  };
  const refresh = () => void queryClient.invalidateQueries({ queryKey: keys.deals });
  return useMoneyAction<Run>({
    intention: ({ action }) => DEAL_ACTIONS[action].call.path,
    movesMoney: ({ action }) => DEAL_ACTIONS[action].call.money,
    call: async ({ action, terms, words = NO_WORDS }, key) => {
      const { call } = DEAL_ACTIONS[action];
      if (call.removes) markRemoval(queryClient, id);
      const answer = await call.send(id, key, words, terms);
      queryClient.setQueryData<DealDetail>(keys.deal(id), (old) => dealAfter(answer, old));
      return answer;
    },
    success: (done, { action }) => DEAL_ACTIONS[action].success(done),
    quiet: true,
    // From now on the page shows the progress, and the user may leave.
    onProcessing: close,
    onDone: async (done, { action }) => {
      if (isGone(done)) return leave();
      unmarkRemoval(queryClient, id);
      close();
      if (!DEAL_ACTIONS[action].call.money) refresh();
    },
    // If the deal has changed, closes the dialog and reloads the page.
    onFailed: (error, { action }) => {
      unmarkRemoval(queryClient, id);
      if (isUnconfirmed(error)) return;
      notifyActionFailure(error, DEAL_ACTIONS[action].fallback());
      if (!outdated(error)) return;
      close();
      refresh();
    },
  });
}

type Asked = AskedAction | 'trouble' | 'terms';

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
    /** The last refusal, if caused by a limit of the account. */
    limit: isLimit(mutation.error) ? mutation.error : null,
  };
}

export type DealActions = ReturnType<typeof useDealActions>;

export function useActionLabel({ deal, mine, price }: DealView): (action: Action) => string {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  return (action) =>
    DEAL_ACTIONS[action].label({ t, tTrouble, mine, sum: usd(price), agreed: deal.terms > 1, countered: isCountered(deal) });
}

export function usePendingText(action: Action): string {
  const t = useTexts(common);
  return DEAL_ACTIONS[action].movesMoney ? t('processing') : t('sending');
}

type Props = Pick<ComponentProps<typeof PendingButton>, 'variant' | 'size' | 'className'> & {
  action: Action;
  view: DealView;
  actions: DealActions;
  /** Stands out and is in a phone's bar, unless the deal is paused. */
  primary?: boolean;
};

export function ActionButton({ action, view, actions, primary = false, className, ...look }: Props) {
  const label = useActionLabel(view);
  const pendingText = usePendingText(action);
  const busy = actions.isBusy(action);
  const inBar = primary && (isOwnMove(view.next) || mayPay(view));
  return (
    <PendingButton
      {...look}
      {...(primary && !inBar ? { variant: 'outline' as const } : {})}
      data-in-bar={inBar || undefined}
      className={cn(inBar && 'max-lg:hidden', className)}
      pending={busy}
      pendingText={pendingText}
      disabled={actions.anyBusy && !busy}
      onClick={() => (isAsked(action) ? actions.ask(action) : actions.run(action))}
    >
      {label(action)}
    </PendingButton>
  );
}

/** Stacked buttons, hidden if all of them are in the bar. */
export function ButtonStack(props: ComponentProps<'div'>) {
  return (
    <div
      data-slot="move-buttons"
      className="mt-5 mb-3 grid min-w-0 content-start gap-2 *:min-w-0 max-lg:not-has-[>:not([data-in-bar])]:hidden"
      {...props}
    />
  );
}
