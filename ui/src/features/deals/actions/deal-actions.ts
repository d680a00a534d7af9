import type { DealAnswer, Pending } from '@/api/contract';
import type { buttonVariants } from '@/components/ui/button';
import type { Translate } from '@/i18n';
import type { deals } from '@/i18n/en/deals';
import type { trouble } from '@/i18n/en/trouble';
import { api, idempotent, send } from '@/lib/api';
import type { CallResult } from '@/lib/outcomes';
import type { LazyText } from '@/lib/query-client';
import { cancelledText, dealText, removedText, troubleText } from './toast-texts';

/**
 * What a party can do with a deal. `agree` is the seller's word on a deal that the buyer made, `giveBack` their no to one that is paid.
 * `request` asks the seller to cancel, `accept` and `refuse` are their answers, `giveUp` is their own cancellation; `leave` is the buyer's way
 * out of a deal that is too late, or whose seller is suspended.
 */
export type Action =
  | 'agree'
  | 'pay'
  | 'release'
  | 'deliver'
  | 'remove'
  | 'giveBack'
  | 'reset'
  | 'request'
  | 'leave'
  | 'accept'
  | 'refuse'
  | 'giveUp';

type DealCall = {
  /** Actions with the same path are one intention: they share a key, and are under way together. */
  path: string;
  /** It moves money, or may: it is repeated under its key and followed to its end. */
  money: boolean;
  /** The deal may be gone afterwards. */
  removes?: boolean;
  send: (id: string, key: string) => Promise<DealAnswer | Pending | object>;
};

type MoneyPath = '/deals/pay/{id}' | '/deals/complete/{id}' | '/deals/cancel/{id}' | '/deals/accept-cancellation/{id}';
const money = (path: MoneyPath): DealCall => ({
  path,
  money: true,
  send: (id, key) => send(api.POST(path, { params: { path: { id } }, headers: idempotent(key) })),
});

type StepPath = '/deals/deliver/{id}' | '/deals/reset-delivery/{id}' | '/deals/decline-cancellation/{id}';
/** Made twice, it is made once. */
const step = (path: StepPath): DealCall => ({
  path,
  money: false,
  send: (id) => send(api.POST(path, { params: { path: { id } } })),
});

const ACCEPT: DealCall = {
  path: '/deals/accept/{id}',
  money: false,
  send: (id) => send(api.PUT('/deals/accept/{id}', { params: { path: { id } } })),
};

/** The deal is gone afterwards. Paid by then and never accepted, it stays as cancelled, and the buyer has everything back. */
const REMOVE: DealCall = {
  path: '/deals/{id}',
  money: true,
  removes: true,
  send: (id, key) => send(api.DELETE('/deals/{id}', { params: { path: { id } }, headers: idempotent(key) })),
};

const CANCEL = money('/deals/cancel/{id}');

type Labels = { t: Translate<typeof deals>; tt: Translate<typeof trouble>; mine: boolean; sum: string };

type DealAction = {
  call: DealCall;
  /** Whether money moves at once: such a button says "Payment processing" while it does. */
  movesMoney: boolean;
  /** It stands behind "Something is wrong". */
  trouble?: boolean;
  /** The verb and the exact amount (in fixed words; whoever made the offer has nothing to accept). */
  label: (labels: Labels) => string;
  /** How the button that confirms it looks. */
  variant: NonNullable<NonNullable<Parameters<typeof buttonVariants>[0]>['variant']>;
  success: (done: CallResult) => string;
  /** The failure toast where the server wrote no message. */
  fallback: LazyText;
};

/** Everything that distinguishes the actions, but for the questions before them (`confirm-dialogs.tsx`, a lazy chunk). */
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
    call: money('/deals/pay/{id}'),
    movesMoney: true,
    label: ({ t, mine, sum }) => t(mine ? 'act.activate' : 'act.accept', { sum }),
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
    call: step('/deals/deliver/{id}'),
    movesMoney: false,
    label: ({ t }) => t('act.deliver'),
    variant: 'default',
    success: dealText('toast.delivered'),
    fallback: dealText('toast.deliverFailed'),
  },
  remove: {
    call: REMOVE,
    movesMoney: false,
    label: ({ t, mine }) => t(mine ? 'act.withdraw' : 'act.decline'),
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
    call: step('/deals/reset-delivery/{id}'),
    movesMoney: false,
    trouble: true,
    label: ({ tt }) => tt('act.reset'),
    variant: 'default',
    success: troubleText('toast.reset'),
    fallback: dealText('toast.failed'),
  },
  request: {
    call: CANCEL,
    movesMoney: false,
    trouble: true,
    label: ({ tt }) => tt('act.request'),
    variant: 'destructive',
    success: cancelledText,
    fallback: troubleText('toast.cancelFailed'),
  },
  leave: {
    call: CANCEL,
    movesMoney: true,
    trouble: true,
    label: ({ tt, sum }) => tt('act.leave', { sum }),
    variant: 'seal',
    success: cancelledText,
    fallback: troubleText('toast.cancelFailed'),
  },
  accept: {
    call: money('/deals/accept-cancellation/{id}'),
    movesMoney: true,
    label: ({ tt }) => tt('act.accept'),
    variant: 'destructive',
    success: cancelledText,
    fallback: troubleText('toast.acceptFailed'),
  },
  refuse: {
    call: step('/deals/decline-cancellation/{id}'),
    movesMoney: false,
    label: ({ tt }) => tt('act.refuse'),
    variant: 'default',
    success: troubleText('toast.refused'),
    fallback: troubleText('toast.refuseFailed'),
  },
  giveUp: {
    call: CANCEL,
    movesMoney: true,
    trouble: true,
    label: ({ tt }) => tt('act.giveUp'),
    variant: 'destructive',
    success: cancelledText,
    fallback: troubleText('toast.cancelFailed'),
  },
};

/** Whether two actions make the same call. */
export const sameCall = (one: Action, other: Action): boolean => DEAL_ACTIONS[one].call === DEAL_ACTIONS[other].call;
