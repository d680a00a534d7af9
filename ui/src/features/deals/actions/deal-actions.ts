import type { buttonVariants } from '@/components/ui/button';
import type { Translate } from '@/i18n';
import type { deals } from '@/i18n/en/deals';
import type { trouble } from '@/i18n/en/trouble';
import type { CallResult } from '@/lib/outcomes';
import type { LazyText } from '@/lib/query-client';
import { ACCEPT, CANCEL, DELIVER, type DealCall, money, PAY, REFUSE, REMOVE, RESET } from './deal-calls';
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

/** Those that a dialog of their own asks about, because words go with them. */
export type WordsAction = Extract<Action, 'deliver' | 'reset'>;

export function takesWords(action: string | null): action is WordsAction {
  return action === 'deliver' || action === 'reset';
}

type Labels = {
  t: Translate<typeof deals>;
  tt: Translate<typeof trouble>;
  mine: boolean;
  sum: string;
  /** Both have said yes to these terms. */
  agreed: boolean;
  /** A counter-offer is open: "decline" alone might be meant of it. */
  countered: boolean;
};

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
    call: REFUSE,
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
