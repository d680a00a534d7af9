import type { DealDispute, DisputeOffer } from '@/api/contract';
import { isRunning } from '@/entities/deal/dispute/running';
import type { Split } from '@/entities/deal/dispute/split';
import { splitFromWire } from '@/entities/deal/dispute/split';
import type { Names } from '@/entities/deal/dispute/split-facts';
import type { Side } from '@/entities/deal/rules';
import { type Cents, centsFromWire } from '@/lib/money';
import { mayAccept, openOffer } from './use-dispute-actions';

export type Turn = 'answer' | 'offer' | 'decision' | 'waitAnswer' | 'waitAmanat' | 'waitOther' | 'over';

export type RoomView = {
  dispute: DealDispute;
  side: Side;
  otherSide: Side;
  other: string;
  names: Names;
  price: Cents;
  running: boolean;
  opener: boolean;
  turn: Turn;
  own: DisputeOffer | undefined;
  theirs: DisputeOffer | undefined;
};

function turnOf(dispute: DealDispute, side: Side, theirs: DisputeOffer | undefined): Turn {
  const opener = dispute.openedBy === side;
  if (!isRunning(dispute.status)) return 'over';
  if (mayAccept(dispute, side)) return 'decision';
  if (dispute.status === 'decided') return 'waitOther';
  if (dispute.status === 'appealed') return 'waitAmanat';
  if (theirs) return 'offer';
  if (dispute.answeredAt !== null) return 'waitAmanat';
  return opener ? 'waitAnswer' : 'answer';
}

export const ANSWER = 'answer';

/** Reports whether the reader's answer is missing. It can be given until the decision. */
export const owesAnswer = ({ dispute, opener }: RoomView): boolean =>
  dispute.status === 'open' && !opener && dispute.answeredAt === null;

export function roomViewOf(dispute: DealDispute, me: string): RoomView {
  const side: Side = dispute.buyer._id === me ? 'buyer' : 'seller';
  const otherSide: Side = side === 'buyer' ? 'seller' : 'buyer';
  const other = dispute[otherSide].username;
  const theirs = openOffer(dispute, otherSide);
  return {
    dispute,
    side,
    otherSide,
    other,
    names: { buyer: side === 'buyer' ? null : other, seller: side === 'seller' ? null : other },
    price: centsFromWire(dispute.deal.price),
    running: isRunning(dispute.status),
    opener: dispute.openedBy === side,
    turn: turnOf(dispute, side, theirs),
    own: openOffer(dispute, side),
    theirs,
  };
}

export function sharesOf(
  split: { buyerGets: number; sellerGets: number; fee: number },
  side: Side,
): { own: Cents; other: Cents; split: Split } {
  const cents = splitFromWire(split);
  return { own: cents[side], other: cents[side === 'buyer' ? 'seller' : 'buyer'], split: cents };
}
