import { type Key, translate } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import type { Outcome } from '@/i18n/sentences.gen';
import type { CallResult } from '@/lib/outcomes';
import type { LazyText } from '@/lib/query-client';

type DealToast = Extract<Key<typeof deals>, `toast.${string}`>;
type TroubleToast = Extract<Key<typeof trouble>, `toast.${string}`>;

export function dealText(key: DealToast): LazyText {
  return () => translate(deals, key);
}

export function troubleText(key: TroubleToast): LazyText {
  return () => translate(trouble, key);
}

const ENDS: Partial<Record<string, TroubleToast>> = {
  cancellation_requested: 'toast.requested',
  deal_refunded_less_fee: 'toast.accepted',
  deal_refunded: 'toast.refunded',
} satisfies Partial<Record<Outcome, TroubleToast>>;

/** The server decides whether the deal ends or the seller is asked, and who bears the fee. */
export function cancelledText({ outcome }: CallResult): string {
  return translate(trouble, ENDS[outcome] ?? 'toast.refunded');
}

const REMOVED: Outcome = 'deal_removed';

/** Reports whether a declined deal was removed; a paid one stays, refunded. */
export function isGone({ outcome }: CallResult): boolean {
  return outcome === REMOVED;
}

export function removedText(done: CallResult): string {
  return isGone(done) ? translate(deals, 'toast.declined') : cancelledText(done);
}
