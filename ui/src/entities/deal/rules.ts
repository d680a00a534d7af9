import type { Deal, DisputeTurn, Party } from '@/api/contract';
import { type Cents, centsFromWire } from '@/lib/money';
import { isOpen } from './status';

export type Side = 'buyer' | 'seller';

type OwnMove = 'agree' | 'pay' | 'deliver' | 'check' | 'answer' | 'answerCounter';

/** What the deal waits for, seen from one side: its own move, or the other's. A blocked one cannot be paid: the other's account is suspended. */
export type Move =
  | OwnMove
  | 'waitPay'
  | 'waitDelivery'
  | 'waitCheck'
  | 'waitAnswer'
  | 'waitAgree'
  | 'waitCounter'
  | 'blocked'
  | 'closed';

/** What comes next: the move, unless the buyer may leave by now, or the deal is on hold because an account is suspended. */
export type Next = Move | 'leave' | 'held';

export function sideOf(deal: Deal, userId: string): Side {
  return deal.buyer._id === userId ? 'buyer' : 'seller';
}

export function otherOf(deal: Deal, side: Side): Party {
  return side === 'buyer' ? deal.seller : deal.buyer;
}

/** Whether a deal that the buyer made still waits for the seller to accept it. */
export function isUnaccepted(deal: Deal): boolean {
  return deal.acceptedAt === null && (deal.status === 'Pending' || isOpen(deal.status));
}

/** Whether the account of this side is suspended. */
export function isSuspended(deal: Deal, side: Side): boolean {
  return side === 'buyer' ? deal.buyerSuspended : deal.sellerSuspended;
}

/** Whether a counter-offer is open: until it is answered, the deal can be neither accepted nor paid (docs/rules.md#counteroffers). */
export function isCountered(deal: Deal): boolean {
  return deal.status === 'Pending' && deal.counterofferBy !== null;
}

export function moveOf(deal: Deal, side: Side): Move {
  const buying = side === 'buyer';
  if (deal.status === 'Pending' && isSuspended(deal, buying ? 'seller' : 'buyer')) return 'blocked';
  if (isCountered(deal)) return deal.counterofferBy === deal[side]._id ? 'waitCounter' : 'answerCounter';
  if (isUnaccepted(deal) && !deal.cancellationRequested) return buying ? 'waitAgree' : 'agree';
  switch (deal.status) {
    case 'Pending':
      return buying ? 'pay' : 'waitPay';
    case 'Active':
    case 'Late':
      if (deal.cancellationRequested) return buying ? 'waitAnswer' : 'answer';
      return buying ? 'waitDelivery' : 'deliver';
    case 'Delivered':
      return buying ? 'check' : 'waitCheck';
    default:
      return 'closed';
  }
}

const OWN_MOVES: readonly Next[] = ['agree', 'pay', 'deliver', 'check', 'answer', 'answerCounter'] satisfies OwnMove[];

export function isOwnMove(move: Next): move is OwnMove {
  return OWN_MOVES.includes(move);
}

/** Whether nothing was ever delivered and it is late by a day: whoever gets the money back then gets all of it (docs/rules.md#deal-exit). */
export function isPastExit(deal: Deal, now: number): boolean {
  return isOpen(deal.status) && deal.exitAt !== null && Date.parse(deal.exitAt) <= now;
}

/** Whether nobody can deliver what was never delivered: the seller's account is suspended. */
export function sellerIsGone(deal: Deal): boolean {
  return isOpen(deal.status) && deal.exitAt !== null && deal.sellerSuspended;
}

/** Whether the buyer may leave with the whole price, without anybody's consent. */
export function mayLeave(deal: Deal, side: Side, now: number): boolean {
  return side === 'buyer' && (sellerIsGone(deal) || isPastExit(deal, now));
}

/** What comes next, in the words of a deal's page, the lists and the dashboard alike. */
export function nextOf(deal: Deal, side: Side, now: number): Next {
  if (mayLeave(deal, side, now)) return 'leave';
  return isOpen(deal.status) && deal.suspended ? 'held' : moveOf(deal, side);
}

/** What the open dispute of a deal asks of this side; null for nothing, or without one. */
export function disputeTurnOf({ openDispute }: Deal, side: Side): DisputeTurn | null {
  return (side === 'buyer' ? openDispute?.buyerTurn : openDispute?.sellerTurn) ?? null;
}

/** Whether this side has something to do. */
export function isOwnTurn(next: Next): boolean {
  return next === 'leave' || isOwnMove(next);
}

/** Whether something was delivered and taken back since, by a request for changes or to cancel. */
export function wasTakenBack(deal: Deal): boolean {
  return isOpen(deal.status) && deal.status !== 'Delivered' && deal.exitAt === null;
}

/** What the holder's column shows: the price, what came back of it, or what the seller got. */
export function heldSum(deal: Deal): Cents {
  // Of a price that a dispute divided, the buyer got a part back, too.
  if (deal.status === 'Completed') return centsFromWire(deal.payout);
  return centsFromWire(deal.refund ?? deal.price);
}

/** What came back to the buyer of a deal that is over. */
export function backOf(deal: Deal): Cents {
  return centsFromWire(deal.refund ?? 0);
}

/** Whether more than half of the price came back to the buyer: such a deal counts as cancelled (docs/rules.md#disputes). */
export function isMostlyRefunded(deal: Deal): boolean {
  return backOf(deal) * 2 > centsFromWire(deal.price);
}
