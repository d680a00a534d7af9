import type { Deal, DisputeTurn, Party } from '@/api/contract';
import { type Cents, centsFromWire } from '@/lib/money';
import { isOpen } from './status';

export type Side = 'buyer' | 'seller';

type OwnMove = 'agree' | 'pay' | 'deliver' | 'receive' | 'check' | 'answer' | 'answerCounter';

/** What the deal waits for, from one side's view. It is blocked if the other side is suspended. */
export type Move =
  | OwnMove
  | 'waitPay'
  | 'waitDelivery'
  | 'waitArrival'
  | 'waitCheck'
  | 'waitAnswer'
  | 'waitAgree'
  | 'waitCounter'
  | 'blocked'
  | 'closed';

/**
 * The move, unless the buyer may leave, a suspended account puts the deal on hold, or support, an
 * admin or a dispute pauses it. Then nobody is asked to act.
 */
export type Next = Move | 'leave' | 'held' | 'paused';

export function sideOf(deal: Deal, userId: string): Side {
  return deal.buyer._id === userId ? 'buyer' : 'seller';
}

export function otherOf(deal: Deal, side: Side): Party {
  return side === 'buyer' ? deal.seller : deal.buyer;
}

/** Reports whether a deal made by the buyer still waits for the seller to accept it. */
export function isUnaccepted(deal: Deal): boolean {
  return deal.acceptedAt === null && (deal.status === 'Pending' || isOpen(deal.status));
}

export function isSuspended(deal: Deal, side: Side): boolean {
  return side === 'buyer' ? deal.buyerSuspended : deal.sellerSuspended;
}

/** An open counter-offer blocks accepting and paying (docs/rules.md#counteroffers). */
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
      if (deal.shipment?.arrivesBy) return buying ? 'receive' : 'waitArrival';
      return buying ? 'check' : 'waitCheck';
    default:
      return 'closed';
  }
}

const OWN_MOVES: readonly Next[] = ['agree', 'pay', 'deliver', 'receive', 'check', 'answer', 'answerCounter'] satisfies OwnMove[];

export function isOwnMove(move: Next): move is OwnMove {
  return OWN_MOVES.includes(move);
}

/** Nothing was delivered a day after the due date (docs/rules.md#deal-exit). */
export function isPastExit(deal: Deal, now: number): boolean {
  return isOpen(deal.status) && deal.exitAt !== null && Date.parse(deal.exitAt) <= now;
}

/** Reports whether the seller's account is suspended and nothing was delivered. */
export function sellerIsGone(deal: Deal): boolean {
  return isOpen(deal.status) && deal.exitAt !== null && deal.sellerSuspended;
}

/** Reports whether the buyer may leave with the whole price, without consent. */
export function mayLeave(deal: Deal, side: Side, now: number): boolean {
  return side === 'buyer' && (sellerIsGone(deal) || isPastExit(deal, now));
}

export function nextOf(deal: Deal, side: Side, now: number): Next {
  if (mayLeave(deal, side, now)) return 'leave';
  if (!isOpen(deal.status)) return moveOf(deal, side);
  if (deal.suspended) return 'held';
  return deal.frozen || deal.escalated || deal.openDispute ? 'paused' : moveOf(deal, side);
}

export function disputeTurnOf({ openDispute }: Deal, side: Side): DisputeTurn | null {
  return (side === 'buyer' ? openDispute?.buyerTurn : openDispute?.sellerTurn) ?? null;
}

export function isOwnTurn(next: Next): boolean {
  return next === 'leave' || isOwnMove(next);
}

/** Reports whether a delivery was reset by a request for changes or to cancel. */
export function wasTakenBack(deal: Deal): boolean {
  return isOpen(deal.status) && deal.status !== 'Delivered' && deal.exitAt === null;
}

/** The amount in the holder's column: the price, the refund or the payout. */
export function heldSum(deal: Deal): Cents {
  // A divided price was partly refunded, too.
  if (deal.status === 'Completed') return centsFromWire(deal.payout);
  return centsFromWire(deal.refund ?? deal.price);
}

export function refundOf(deal: Deal): Cents {
  return centsFromWire(deal.refund ?? 0);
}

/** Refunded by more than half, a deal counts as cancelled (docs/rules.md#disputes). */
export function isMostlyRefunded(deal: Deal): boolean {
  return refundOf(deal) * 2 > centsFromWire(deal.price);
}
