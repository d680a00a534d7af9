import type { Operation } from '@/api/contract';
import { type Key, translate } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import type { Outcome } from '@/i18n/sentences.gen';
import type { Done } from '@/lib/outcomes';
import type { Say } from '@/lib/query-client';

export type DealToast = Extract<Key<typeof deals>, `toast.${string}`>;
export type TroubleToast = Extract<Key<typeof trouble>, `toast.${string}`>;

export function sayDeal(key: DealToast): Say {
  return () => translate(deals, key);
}

export function sayTrouble(key: TroubleToast): Say {
  return () => translate(trouble, key);
}

const ENDS: Partial<Record<string, TroubleToast>> = {
  cancellation_requested: 'toast.requested',
  deal_refunded_less_fee: 'toast.accepted',
  deal_refunded: 'toast.refunded',
} satisfies Partial<Record<Outcome, TroubleToast>>;

/** How a call that cancels has ended: the server decides whether the deal is over or the seller is asked, and who bears the fee. */
export function sayCancelled({ outcome }: Done): string {
  return translate(trouble, ENDS[outcome] ?? 'toast.refunded');
}

const REMOVED: Outcome = 'deal_removed';

/** Whether a deal that was declined is gone: one that was paid stays, and the money went back. */
export function isGone({ outcome }: Done): boolean {
  return outcome === REMOVED;
}

export function sayRemoved(done: Done): string {
  return isGone(done) ? translate(deals, 'toast.declined') : sayCancelled(done);
}

/** What an operation that was found on the page says when it ends. */
export function settledTexts(operation: Operation | undefined) {
  switch (operation?.kind) {
    case 'deal_pay':
      return { success: sayDeal('toast.activated'), fallback: sayDeal('toast.activateFailed') };
    case 'deal_refund':
      return { success: sayCancelled, fallback: sayTrouble('toast.cancelFailed') };
    default:
      return { success: sayDeal('toast.completed'), fallback: sayDeal('toast.completeFailed') };
  }
}
