import type { Operation } from '@/api/contract';
import { type Key, translate } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import type { Say } from '@/lib/query-client';

export type DealToast = Extract<Key<typeof deals>, `toast.${string}`>;
export type TroubleToast = Extract<Key<typeof trouble>, `toast.${string}`>;

export function sayDeal(key: DealToast): Say {
  return () => translate(deals, key);
}

export function sayTrouble(key: TroubleToast): Say {
  return () => translate(trouble, key);
}

const ENDS = ['toast.requested', 'toast.accepted', 'toast.refunded'] as const;

/** How a call that cancels has ended, by the server's word: it decides whether the deal is over or the seller is asked, and who bears the fee. */
export function sayCancelled(message: string): string {
  return translate(trouble, ENDS.find((key) => trouble.en[key] === message) ?? 'toast.refunded');
}

/** Whether a deal that was declined is gone, by the server's word: one that was paid stays, and the money went back. */
export function isGone(message: string): boolean {
  return message === '' || message === deals.en['toast.declined'];
}

export function sayRemoved(message: string): string {
  return isGone(message) ? translate(deals, 'toast.declined') : sayCancelled(message);
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
