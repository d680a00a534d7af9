import type { Counteroffer, DealDetail } from '@/api/contract';
import { aDetail } from './deals';

/** Tanvir proposes $550.00 and five days instead of $480.00 and fourteen. */
export function aCounteroffer(over: Partial<Counteroffer> = {}): Counteroffer {
  return {
    _id: 'c-1',
    madeBy: 'u-tanvir',
    price: 550,
    fee: 11,
    payout: 539,
    description: 'Ranna Ghor 24',
    deliveryDuration: 5,
    inspectionDays: 3,
    text: '',
    createdAt: '2026-11-09T04:00:00Z',
    ...over,
  };
}

/** A deal with an open counter-offer. */
export function countered(over: Partial<Counteroffer> = {}, deal: Partial<DealDetail> = {}): DealDetail {
  const counteroffer = aCounteroffer(over);
  return aDetail({ ...deal, counteroffer, counterofferBy: counteroffer.madeBy });
}
