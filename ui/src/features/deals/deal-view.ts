import type { Deal, DealDetail, Party, User } from '@/api/contract';
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
import { isDecided, isRunning } from '@/entities/deal/status';
import { TITLE_LENGTH, titleOf } from '@/entities/deal/title';
import { type Cents, centsFromWire } from '@/lib/money';

/** Others than the parties are admins. */
export function isParty(deal: Deal, me: User): boolean {
  return deal.buyer._id === me._id || deal.seller._id === me._id;
}

export type DealView = {
  deal: DealDetail;
  side: Side;
  other: Party;
  mine: boolean;
  move: Move;
  next: Next;
  leavable: boolean;
  /** The seller is suspended and nothing was delivered. */
  sellerGone: boolean;
  otherSuspended: boolean;
  /** The id of the dispute that decides about the money, or null. */
  disputeId: string | null;
  /** The dispute is decided, so only the seller can still cancel. */
  ruled: boolean;
  price: Cents;
  fee: Cents;
  payout: Cents;
  /** The buyer's refund if the seller accepts to cancel. */
  back: Cents;
};

export function viewOf(deal: DealDetail, me: User, now: number): DealView {
  const side = sideOf(deal, me._id);
  const move = moveOf(deal, side);
  const next = nextOf(deal, side, now);
  const ruled = deal.dispute !== undefined && isDecided(deal.dispute.status);
  return {
    deal,
    side,
    other: otherOf(deal, side),
    mine: deal.timeline[0]?.actor?._id === me._id,
    move,
    next: ruled && next === 'leave' ? 'paused' : next,
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

/** Reports whether the reader can pay, also an offer of theirs that the seller has not accepted. */
export function mayPay({ deal, move, next }: DealView): boolean {
  return next === 'pay' || (next === 'waitAgree' && move === next && deal.status === 'Pending');
}

/** The description without the line that is the title. */
export function wordsOf(description: string): string {
  const text = description.trim();
  const [line = '', ...rest] = text.split(/\r?\n/);
  const more = rest.join('\n').trim();
  return more !== '' && !titleOf(line).endsWith('…') && Array.from(line.trim()).length <= TITLE_LENGTH ? more : text;
}
