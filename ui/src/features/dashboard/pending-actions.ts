import type { Deal, DisputeTurn } from '@/api/contract';
import { disputeTurnOf, isOwnMove, nextOf, type Side, sellerIsGone, sideOf } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';

/** What an open dispute asks for. */
const DISPUTE = { decision: 'disputeDecision', offer: 'disputeOffer', answer: 'disputeAnswer' } as const;

/** What a deal asks of this user now; null when it is the other's turn. */
export type PendingAction =
  | (typeof DISPUTE)[DisputeTurn]
  | 'agree'
  | 'answer'
  | 'answerCounter'
  | 'deliverLate'
  | 'check'
  | 'leave'
  | 'leaveSuspended'
  | 'declined'
  | 'deliver'
  | 'pay';

const ORDER: readonly PendingAction[] = [
  'disputeDecision',
  'disputeOffer',
  'disputeAnswer',
  'answer',
  'deliverLate',
  'check',
  'leave',
  'leaveSuspended',
  'declined',
  'answerCounter',
  'agree',
  'deliver',
  'pay',
];

export function pendingActionOf(deal: Deal, userId: string, now: number): PendingAction | null {
  const side = sideOf(deal, userId);
  const turn = disputeTurnOf(deal, side);
  if (turn !== null) return DISPUTE[turn];
  const next = nextOf(deal, side, now);
  // Nobody is asked to release money that a dispute decides about.
  if (deal.openDispute && next === 'check') return null;
  if (next === 'leave') return sellerIsGone(deal) ? 'leaveSuspended' : 'leave';
  if (next === 'waitDelivery' && deal.cancellationDeclined) return 'declined';
  if (next === 'deliver' && deal.status === 'Late') return 'deliverLate';
  return isOwnMove(next) ? next : null;
}

/** The deals that need this user's hand, the most pressing first, and the nearer due date before the later. */
export function pendingActions(deals: readonly Deal[], userId: string, now: number): { deal: Deal; wait: PendingAction }[] {
  return deals
    .flatMap((deal) => {
      const wait = pendingActionOf(deal, userId, now);
      return wait ? [{ deal, wait }] : [];
    })
    .sort((a, b) => ORDER.indexOf(a.wait) - ORDER.indexOf(b.wait) || a.deal.dueAt.localeCompare(b.deal.dueAt));
}

/** The open deals of one side: what is in trust from this user (buyer) or for this user (seller). */
export function openAs(deals: readonly Deal[], side: Side, userId: string): Deal[] {
  return deals.filter((deal) => isOpen(deal.status) && deal[side]._id === userId);
}
