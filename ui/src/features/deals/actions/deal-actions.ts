import type { DealAnswer, Pending } from '@/api/contract';
import type { buttonVariants } from '@/components/ui/button';
import { isCountered, isUnaccepted } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { type Key, type Translate, translate } from '@/i18n';
import { trouble } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import type { Outcome } from '@/i18n/sentences.gen';
import { api, idempotent, send } from '@/lib/api';
import type { CallResult } from '@/lib/outcomes';
import type { LazyText } from '@/lib/query-client';
import type { DealView } from '../deal-view';

/** What is sent by courier; nothing if there is no courier. */
export type Sent = { courier?: string; trackingNumber?: string };

/** A text and the ids of uploaded pictures, for a delivery or a request for changes. */
export type Words = { text: string; pictures: string[] } & Sent;

type DealCall = {
  /** Actions with the same path are one intention: they share a key and a pending state. */
  path: string;
  /** May move money: retried under its key and followed to its end. */
  money: boolean;
  removes?: boolean;
  send: (id: string, key: string, words: Words, terms: number) => Promise<DealAnswer | Pending | object>;
};

type MoneyPath = '/deals/complete/{id}' | '/deals/cancel/{id}' | '/deals/accept-cancellation/{id}';
const money = (path: MoneyPath): DealCall => ({
  path,
  money: true,
  // Only a release ever requires a confirmation.
  send: (id, key) => withConfirmation(() => send(api.POST(path, { params: { path: { id } }, headers: idempotent(key) }))),
});

/** Pays the terms on the page; the server refuses others. */
const PAY: DealCall = {
  path: '/deals/pay/{id}',
  money: true,
  send: (id, key, _words, terms) =>
    send(api.POST('/deals/pay/{id}', { params: { path: { id } }, headers: idempotent(key), body: { terms } })),
};

const CANCEL = money('/deals/cancel/{id}');

// The following calls are idempotent.

const ACCEPT: DealCall = {
  path: '/deals/accept/{id}',
  money: false,
  send: (id) => send(api.PUT('/deals/accept/{id}', { params: { path: { id } } })),
};

const DELIVER: DealCall = {
  path: '/deals/deliver/{id}',
  money: false,
  send: (id, _key, words) => send(api.POST('/deals/deliver/{id}', { params: { path: { id } }, body: words })),
};

const ARRIVED: DealCall = {
  path: '/deals/{id}/arrived',
  money: false,
  send: (id) => send(api.POST('/deals/{id}/arrived', { params: { path: { id } } })),
};

const RESET: DealCall = {
  path: '/deals/reset-delivery/{id}',
  money: false,
  send: (id, _key, { text }) => send(api.POST('/deals/reset-delivery/{id}', { params: { path: { id } }, body: { text } })),
};

const REFUSE: DealCall = {
  path: '/deals/decline-cancellation/{id}',
  money: false,
  send: (id) => send(api.POST('/deals/decline-cancellation/{id}', { params: { path: { id } } })),
};

/** A deal that was paid meanwhile and never accepted stays as cancelled, with a full refund. */
const REMOVE: DealCall = {
  path: '/deals/{id}',
  money: true,
  removes: true,
  send: (id, key) => send(api.DELETE('/deals/{id}', { params: { path: { id } }, headers: idempotent(key) })),
};

type DealToast = Extract<Key<typeof deals>, `toast.${string}`>;
type TroubleToast = Extract<Key<typeof trouble>, `toast.${string}`>;

function dealText(key: DealToast): LazyText {
  return () => translate(deals, key);
}

function troubleText(key: TroubleToast): LazyText {
  return () => translate(trouble, key);
}

const ENDS: Partial<Record<string, TroubleToast>> = {
  cancellation_requested: 'toast.requested',
  deal_refunded_less_fee: 'toast.accepted',
  deal_refunded: 'toast.refunded',
} satisfies Partial<Record<Outcome, TroubleToast>>;

/** The server decides whether the deal ends or the seller is asked, and who bears the fee. */
function cancelledText({ outcome }: CallResult): string {
  return translate(trouble, ENDS[outcome] ?? 'toast.refunded');
}

const REMOVED: Outcome = 'deal_removed';

/** Reports whether a declined deal was removed; a paid one stays, refunded. */
export function isGone({ outcome }: CallResult): boolean {
  return outcome === REMOVED;
}

function removedText(done: CallResult): string {
  return isGone(done) ? translate(deals, 'toast.declined') : cancelledText(done);
}

/**
 * A party's actions on a deal. The seller's: `agree` and `giveBack` (a refund) answer a deal made
 * by the buyer, `accept` and `refuse` answer a cancellation request, `giveUp` cancels. The buyer's:
 * `request` asks to cancel, `leave` exits a late deal or one whose seller is suspended.
 */
export type Action =
  | 'agree'
  | 'pay'
  | 'release'
  | 'deliver'
  | 'arrived'
  | 'remove'
  | 'giveBack'
  | 'reset'
  | 'request'
  | 'leave'
  | 'accept'
  | 'refuse'
  | 'giveUp';

/** Done without a question: a payment's button states the sum, on the page of the terms. */
const AT_ONCE = ['pay', 'arrived'] as const satisfies Action[];
export type AskedAction = Exclude<Action, (typeof AT_ONCE)[number]>;

export function isAsked(action: Action): action is AskedAction {
  return !(AT_ONCE as readonly Action[]).includes(action);
}

/** Actions with a text, which have dialogs of their own. */
export type WordsAction = Extract<Action, 'deliver' | 'reset'>;

export function takesWords(action: string | null): action is WordsAction {
  return action === 'deliver' || action === 'reset';
}

type Labels = {
  t: Translate<typeof deals>;
  tTrouble: Translate<typeof trouble>;
  mine: boolean;
  sum: string;
  agreed: boolean;
  /** A counter-offer is open, which "decline" alone could mean. */
  countered: boolean;
};

type DealAction = {
  call: DealCall;
  /** The button says "Payment processing" meanwhile. */
  movesMoney: boolean;
  trouble?: boolean;
  /** The verb with the exact amount, in the specification's words. */
  label: (labels: Labels) => string;
  variant: NonNullable<NonNullable<Parameters<typeof buttonVariants>[0]>['variant']>;
  success: (done: CallResult) => string;
  fallback: LazyText;
};

/** The properties of each action, except its confirmation (`action-dialogs.tsx`). */
export const DEAL_ACTIONS: Record<Action, DealAction> = {
  agree: {
    call: ACCEPT,
    movesMoney: false,
    label: ({ t }) => t('act.agree'),
    variant: 'default',
    success: dealText('toast.agreed'),
    fallback: dealText('toast.agreeFailed'),
  },
  pay: {
    call: PAY,
    movesMoney: true,
    label: ({ t, mine, agreed, sum }) => t(mine || agreed ? 'act.activate' : 'act.accept', { sum }),
    variant: 'seal',
    success: dealText('toast.activated'),
    fallback: dealText('toast.activateFailed'),
  },
  release: {
    call: money('/deals/complete/{id}'),
    movesMoney: true,
    label: ({ t, sum }) => t('act.release', { sum }),
    variant: 'seal',
    success: dealText('toast.completed'),
    fallback: dealText('toast.completeFailed'),
  },
  deliver: {
    call: DELIVER,
    movesMoney: false,
    label: ({ t }) => t('act.deliver'),
    variant: 'default',
    success: dealText('toast.delivered'),
    fallback: dealText('toast.deliverFailed'),
  },
  arrived: {
    call: ARRIVED,
    movesMoney: false,
    label: ({ t }) => t('act.arrived'),
    variant: 'default',
    success: dealText('toast.arrived'),
    fallback: dealText('toast.failed'),
  },
  remove: {
    call: REMOVE,
    movesMoney: false,
    label: ({ t, mine, countered }) =>
      countered ? t(mine ? 'act.withdrawDeal' : 'act.declineDeal') : t(mine ? 'act.withdraw' : 'act.decline'),
    variant: 'destructive',
    success: removedText,
    fallback: dealText('toast.declineFailed'),
  },
  giveBack: {
    call: REMOVE,
    movesMoney: true,
    label: ({ t }) => t('act.decline'),
    variant: 'destructive',
    success: removedText,
    fallback: dealText('toast.declineFailed'),
  },
  reset: {
    call: RESET,
    movesMoney: false,
    label: ({ tTrouble }) => tTrouble('act.reset'),
    variant: 'default',
    success: troubleText('toast.reset'),
    fallback: dealText('toast.failed'),
  },
  request: {
    call: CANCEL,
    movesMoney: false,
    trouble: true,
    label: ({ tTrouble }) => tTrouble('act.request'),
    variant: 'destructive',
    success: cancelledText,
    fallback: troubleText('toast.cancelFailed'),
  },
  leave: {
    call: CANCEL,
    movesMoney: true,
    trouble: true,
    label: ({ tTrouble, sum }) => tTrouble('act.leave', { sum }),
    variant: 'seal',
    success: cancelledText,
    fallback: troubleText('toast.cancelFailed'),
  },
  accept: {
    call: money('/deals/accept-cancellation/{id}'),
    movesMoney: true,
    label: ({ tTrouble }) => tTrouble('act.accept'),
    variant: 'destructive',
    success: cancelledText,
    fallback: troubleText('toast.acceptFailed'),
  },
  refuse: {
    call: REFUSE,
    movesMoney: false,
    label: ({ tTrouble }) => tTrouble('act.refuse'),
    variant: 'default',
    success: troubleText('toast.refused'),
    fallback: troubleText('toast.refuseFailed'),
  },
  giveUp: {
    call: CANCEL,
    movesMoney: true,
    trouble: true,
    label: ({ tTrouble }) => tTrouble('act.giveUp'),
    variant: 'destructive',
    success: cancelledText,
    fallback: troubleText('toast.cancelFailed'),
  },
};

export const sameCall = (one: Action, other: Action): boolean => DEAL_ACTIONS[one].call === DEAL_ACTIONS[other].call;

type Place = Pick<DealView, 'deal' | 'side' | 'move' | 'leavable' | 'ruled'>;

function ofBuyer({ deal, leavable, ruled }: Place): readonly Action[] {
  const left = deal.requestsLeft > 0;
  return [
    ...(deal.shipment?.arrivesBy ? (['arrived'] as const) : []),
    'release',
    ...(deal.status === 'Delivered' && left ? (['reset'] as const) : []),
    ...(left && !leavable && !deal.cancellationRequested && !ruled ? (['request'] as const) : []),
    ...(leavable ? (['leave'] as const) : []),
  ];
}

function ofSeller({ deal, ruled }: Place): readonly Action[] {
  if (deal.cancellationRequested) return ruled ? ['giveUp'] : ['accept', 'refuse', 'giveUp'];
  if (isUnaccepted(deal)) return ['agree', 'deliver', 'giveBack'];
  return deal.status === 'Delivered' ? ['giveUp'] : ['deliver', 'giveUp'];
}

/** docs/rules.md#deal-actions */
export function allowedActions(place: Place): readonly Action[] {
  const { deal, side, move } = place;
  if (move === 'blocked' || isCountered(deal)) return ['remove'];
  if (deal.status === 'Pending') {
    if (side === 'buyer') return ['pay', 'remove'];
    return isUnaccepted(deal) ? ['agree', 'remove'] : ['remove'];
  }
  if (!isOpen(deal.status)) return [];
  return side === 'buyer' ? ofBuyer(place) : ofSeller(place);
}

export function troubleActions(place: Place): readonly AskedAction[] {
  return allowedActions(place).flatMap((action) => (isAsked(action) && DEAL_ACTIONS[action].trouble ? [action] : []));
}
