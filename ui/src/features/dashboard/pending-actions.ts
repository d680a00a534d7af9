import type { Deal, DisputeTurn } from '@/api/contract';
import { disputeTurnOf, isOwnMove, nextOf, type Side, sellerIsGone, sideOf } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';

const DISPUTE = { decision: 'disputeDecision', offer: 'disputeOffer', answer: 'disputeAnswer' } as const;

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
  // A disputed deal does not ask for a release.
  if (deal.openDispute && next === 'check') return null;
  if (next === 'leave') return sellerIsGone(deal) ? 'leaveSuspended' : 'leave';
  if (next === 'waitDelivery' && deal.cancellationDeclined) return 'declined';
  if (next === 'deliver' && deal.status === 'Late') return 'deliverLate';
  return isOwnMove(next) ? next : null;
}

/** The deals that need the user, by urgency, then by due date. */
export function pendingActions(deals: readonly Deal[], userId: string, now: number): { deal: Deal; wait: PendingAction }[] {
  return deals
    .flatMap((deal) => {
      const wait = pendingActionOf(deal, userId, now);
      return wait ? [{ deal, wait }] : [];
    })
    .sort((a, b) => ORDER.indexOf(a.wait) - ORDER.indexOf(b.wait) || a.deal.dueAt.localeCompare(b.deal.dueAt));
}

export function openAs(deals: readonly Deal[], side: Side, userId: string): Deal[] {
  return deals.filter((deal) => isOpen(deal.status) && deal[side]._id === userId);
}
