import type { Deal, Party } from '@/api/contract';
import { isOpen } from './deal-status';
import { type Cents, centsFromWire } from './money';

export type Side = 'buyer' | 'seller';

type OwnMove = 'pay' | 'deliver' | 'check' | 'answer';

/** What the deal waits for, seen from one side: its own move, or the other's. */
export type Move = OwnMove | 'waitPay' | 'waitDelivery' | 'waitCheck' | 'waitAnswer' | 'closed';

export function sideOf(deal: Deal, userId: string): Side {
  return deal.buyer._id === userId ? 'buyer' : 'seller';
}

export function otherOf(deal: Deal, side: Side): Party {
  return side === 'buyer' ? deal.seller : deal.buyer;
}

export function moveOf(deal: Deal, side: Side): Move {
  const buying = side === 'buyer';
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

export function isOwnMove(move: Move): move is OwnMove {
  return move === 'pay' || move === 'deliver' || move === 'check' || move === 'answer';
}

/** Whether the buyer may leave with the whole price, without anybody's consent: nothing was ever delivered and it is late by a day (DESIGN §3). */
export function mayLeave(deal: Deal, side: Side, now: number): boolean {
  return side === 'buyer' && isOpen(deal.status) && deal.exitAt !== null && Date.parse(deal.exitAt) <= now;
}

/** Whether something was delivered and taken back since, by a request for changes or to cancel. */
export function wasTakenBack(deal: Deal): boolean {
  return isOpen(deal.status) && deal.status !== 'Delivered' && deal.exitAt === null;
}

/** What the holder's column shows: the price, what came back of it, or what the seller got. */
export function heldSum(deal: Deal): Cents {
  if (deal.refund !== null) return centsFromWire(deal.refund);
  return centsFromWire(deal.status === 'Completed' ? deal.payout : deal.price);
}
