import type { Deal } from '@/api/contract';

/** What a deal asks of this user now; null when it is the other's turn. */
export type Wait = 'answer' | 'deliverLate' | 'check' | 'leave' | 'declined' | 'deliver' | 'pay';

const ORDER: readonly Wait[] = ['answer', 'deliverLate', 'check', 'leave', 'declined', 'deliver', 'pay'];

/** The buyer's turn in a deal that is paid. */
function buyersTurn(deal: Deal, now: number): Wait | null {
  if (deal.status === 'Delivered') return 'check';
  if (deal.exitAt !== null && Date.parse(deal.exitAt) <= now) return 'leave';
  return deal.cancellationDeclined && !deal.cancellationRequested ? 'declined' : null;
}

export function waitOf(deal: Deal, userId: string, now: number): Wait | null {
  const buying = deal.buyer._id === userId;
  if (deal.status === 'Pending') return buying ? 'pay' : null;
  if (!OPEN.includes(deal.status)) return null;
  if (buying) return buyersTurn(deal, now);
  if (deal.cancellationRequested) return 'answer';
  if (deal.status === 'Late') return 'deliverLate';
  return deal.status === 'Active' ? 'deliver' : null;
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

const OPEN: readonly Deal['status'][] = ['Active', 'Late', 'Delivered'];

/** The open deals of one side: what is in trust from this user (buyer) or for this user (seller). */
export function openAs(deals: readonly Deal[], side: 'buyer' | 'seller', userId: string): Deal[] {
  return deals.filter((deal) => OPEN.includes(deal.status) && deal[side]._id === userId);
}
