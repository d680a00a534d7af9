import type { Deal, DealDetail, Party, User } from '@/api/contract';
import { isRuled, isRunning } from '@/entities/deal/dispute/running';
import {
  isPastExit,
  isSuspended,
  type Move,
  mayLeave,
  moveOf,
  type Next,
  nextOf,
  otherOf,
  type Side,
  sellerIsGone,
  sideOf,
} from '@/entities/deal/rules';
import { TITLE_LENGTH, titleOf } from '@/entities/deal/title';
import { type Cents, centsFromWire } from '@/lib/money';

/** Whether the deal is the user's own. Beside its parties only admins are shown one. */
export function isParty(deal: Deal, me: User): boolean {
  return deal.buyer._id === me._id || deal.seller._id === me._id;
}

export type DealView = {
  deal: DealDetail;
  side: Side;
  other: Party;
  /** This side made the offer. */
  mine: boolean;
  move: Move;
  next: Next;
  /** The buyer may leave by now. */
  leavable: boolean;
  /** Nobody can deliver: the seller's account is suspended, and nothing was ever delivered. */
  sellerGone: boolean;
  /** The other's account is suspended. */
  otherSuspended: boolean;
  /** The id of the dispute that decides about the money; null without one. */
  disputeId: string | null;
  /** That dispute has a decision: the deal cannot be cancelled any more, but by the seller. */
  ruled: boolean;
  price: Cents;
  fee: Cents;
  payout: Cents;
  /** What the buyer gets back when the seller accepts to cancel. */
  back: Cents;
};

/** A deal as one of its two parties sees it. */
export function viewOf(deal: DealDetail, me: User, now: number): DealView {
  const side = sideOf(deal, me._id);
  const move = moveOf(deal, side);
  const next = nextOf(deal, side, now);
  const ruled = deal.dispute !== undefined && isRuled(deal.dispute.status);
  return {
    deal,
    side,
    other: otherOf(deal, side),
    mine: deal.timeline[0]?.actor?._id === me._id,
    move,
    next: ruled && next === 'leave' ? move : next,
    leavable: mayLeave(deal, side, now) && !ruled,
    sellerGone: sellerIsGone(deal),
    otherSuspended: isSuspended(deal, side === 'buyer' ? 'seller' : 'buyer'),
    disputeId: deal.dispute && isRunning(deal.dispute.status) ? deal.dispute._id : null,
    ruled,
    price: centsFromWire(deal.price),
    fee: centsFromWire(deal.fee),
    payout: centsFromWire(deal.payout),
    back: centsFromWire(isPastExit(deal, now) ? deal.price : deal.payout),
  };
}

/** The description without the line that the title already says, where something is left. */
export function wordsOf(description: string): string {
  const text = description.trim();
  const [line = '', ...rest] = text.split(/\r?\n/);
  const more = rest.join('\n').trim();
  return more !== '' && !titleOf(line).endsWith('…') && Array.from(line.trim()).length <= TITLE_LENGTH ? more : text;
}
