import { type Cents, centsFromWire, feeOf } from '@/lib/money';

/** Who gets what of a deal's price. */
export type Split = { buyer: Cents; seller: Cents; fee: Cents };

/** What the seller and Amanat get when the buyer gets so much: the fee is that of the seller's part (docs/rules.md#disputes). */
export function splitOf(price: Cents, buyer: Cents): Split {
  const fee = feeOf(price - buyer);
  return { buyer, seller: price - buyer - fee, fee };
}

/** A split as the server answers it. */
export function splitFromWire(split: { buyerGets: number; sellerGets: number; fee: number }): Split {
  return { buyer: centsFromWire(split.buyerGets), seller: centsFromWire(split.sellerGets), fee: centsFromWire(split.fee) };
}

/** The whole percent of the price that is nearest to the buyer's part. */
export function percentOf(price: Cents, buyer: Cents): number {
  return price === 0 ? 0 : Math.round((buyer * 100) / price);
}

/** The buyer's part at so many percent. */
export function partOf(price: Cents, percent: number): Cents {
  return Math.round((price * percent) / 100);
}
