import type { Deal } from '@/api/contract';
import { isOwnMove, nextOf, type Side, sellerIsGone, sideOf } from '@/lib/deal';
import { isOpen } from '@/lib/deal-status';

/** What a deal asks of this user now; null when it is the other's turn. */
export type Wait = 'agree' | 'answer' | 'deliverLate' | 'check' | 'leave' | 'leaveSuspended' | 'declined' | 'deliver' | 'pay';

const ORDER: readonly Wait[] = [
  'answer',
  'deliverLate',
  'check',
  'leave',
  'leaveSuspended',
  'declined',
  'agree',
  'deliver',
  'pay',
];

export function waitOf(deal: Deal, userId: string, now: number): Wait | null {
  const next = nextOf(deal, sideOf(deal, userId), now);
  if (next === 'leave') return sellerIsGone(deal) ? 'leaveSuspended' : 'leave';
  if (next === 'waitDelivery' && deal.cancellationDeclined) return 'declined';
  if (next === 'deliver' && deal.status === 'Late') return 'deliverLate';
  return isOwnMove(next) ? next : null;
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
