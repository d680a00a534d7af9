import { type Cents, centsFromWire, feeOf } from '@/lib/money';

export type Split = { buyer: Cents; seller: Cents; fee: Cents };

/** The shares for a buyer's share; the fee is that of the seller's (docs/rules.md#disputes). */
export function splitOf(price: Cents, buyer: Cents): Split {
  const fee = feeOf(price - buyer);
  return { buyer, seller: price - buyer - fee, fee };
}

export function splitFromWire(split: { buyerGets: number; sellerGets: number; fee: number }): Split {
  return { buyer: centsFromWire(split.buyerGets), seller: centsFromWire(split.sellerGets), fee: centsFromWire(split.fee) };
}

export function percentOf(price: Cents, buyer: Cents): number {
  return price === 0 ? 0 : Math.round((buyer * 100) / price);
}

export function partOf(price: Cents, percent: number): Cents {
  return Math.round((price * percent) / 100);
}
