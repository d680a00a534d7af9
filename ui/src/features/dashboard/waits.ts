import type { Deal } from '@/api/contract';
import { isOwnMove, mayLeave, moveOf, type Side, sideOf } from '@/lib/deal';
import { isOpen } from '@/lib/deal-status';

/** What a deal asks of this user now; null when it is the other's turn. */
export type Wait = 'answer' | 'deliverLate' | 'check' | 'leave' | 'declined' | 'deliver' | 'pay';

const ORDER: readonly Wait[] = ['answer', 'deliverLate', 'check', 'leave', 'declined', 'deliver', 'pay'];

export function waitOf(deal: Deal, userId: string, now: number): Wait | null {
  const side = sideOf(deal, userId);
  if (mayLeave(deal, side, now)) return 'leave';
  const move = moveOf(deal, side);
  if (move === 'waitDelivery' && deal.cancellationDeclined) return 'declined';
  if (move === 'deliver' && deal.status === 'Late') return 'deliverLate';
  return isOwnMove(move) ? move : null;
}

/** The deals that need this user's hand, the most pressing first, and the nearer due date before the later. */
export function waiting(deals: readonly Deal[], userId: string, now: number): { deal: Deal; wait: Wait }[] {
  return deals
    .flatMap((deal) => {
      const wait = waitOf(deal, userId, now);
      return wait ? [{ deal, wait }] : [];
    })
    .sort((a, b) => ORDER.indexOf(a.wait) - ORDER.indexOf(b.wait) || a.deal.dueAt.localeCompare(b.deal.dueAt));
}

/** The open deals of one side: what is in trust from this user (buyer) or for this user (seller). */
export function openAs(deals: readonly Deal[], side: Side, userId: string): Deal[] {
  return deals.filter((deal) => isOpen(deal.status) && deal[side]._id === userId);
}
