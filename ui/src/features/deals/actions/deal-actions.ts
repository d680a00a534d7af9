import type { buttonVariants } from '@/components/ui/button';
import type { Translate } from '@/i18n';
import type { deals } from '@/i18n/en/deals';
import type { trouble } from '@/i18n/en/trouble';
import type { CallResult } from '@/lib/outcomes';
import type { LazyText } from '@/lib/query-client';
import { ACCEPT, CANCEL, DELIVER, type DealCall, money, PAY, REFUSE, REMOVE, RESET } from './deal-calls';
import { cancelledText, dealText, removedText, troubleText } from './toast-texts';

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
  | 'remove'
  | 'giveBack'
  | 'reset'
  | 'request'
  | 'leave'
  | 'accept'
  | 'refuse'
  | 'giveUp';

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

/** The properties of each action, except its confirmation (`confirm-questions.tsx`). */
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
