import { isUnaccepted } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import type { DealView } from '../deal-view';

/**
 * What a party can do with a deal. `agree` is the seller's word on a deal that the buyer made, `giveBack` their no to one that is paid.
 * `request` asks the seller to cancel, `accept` and `refuse` are their answers, `giveUp` is their own cancellation; `leave` is the buyer's way
 * out of a deal that is too late, or whose seller is suspended.
 */
export type Action =
  | 'agree'
  | 'pay'
  | 'release'
  | 'deliver'
  | 'remove'
  | 'giveBack'
  | 'reset'
  | 'request'
  | 'leave'
  | 'accept'
  | 'refuse'
  | 'giveUp';

const MONEY: readonly Action[] = ['pay', 'release', 'leave', 'accept', 'giveUp', 'giveBack'];

/** Whether money moves at once: such a button says "Payment processing" while it does. */
export function movesMoney(action: Action): boolean {
  return MONEY.includes(action);
}

type Place = Pick<DealView, 'deal' | 'side' | 'move' | 'leavable'>;

function ofBuyer({ deal, leavable }: Place): readonly Action[] {
  const left = deal.requestsLeft > 0;
  return [
    'release',
    ...(deal.status === 'Delivered' && left ? (['reset'] as const) : []),
    ...(left && !leavable && !deal.cancellationRequested ? (['request'] as const) : []),
    ...(leavable ? (['leave'] as const) : []),
  ];
}

function ofSeller({ deal }: Place): readonly Action[] {
  if (deal.cancellationRequested) return ['accept', 'refuse', 'giveUp'];
  if (isUnaccepted(deal)) return ['agree', 'deliver', 'giveBack'];
  return deal.status === 'Delivered' ? ['giveUp'] : ['deliver', 'giveUp'];
}

/** Which actions the deal has for this side now (docs/rules.md#deal-actions). */
export function allowedActions(place: Place): readonly Action[] {
  const { deal, side, move } = place;
  if (move === 'blocked') return ['remove'];
  if (deal.status === 'Pending') {
    if (side === 'buyer') return ['pay', 'remove'];
    return isUnaccepted(deal) ? ['agree', 'remove'] : ['remove'];
  }
  if (!isOpen(deal.status)) return [];
  return side === 'buyer' ? ofBuyer(place) : ofSeller(place);
}

const TROUBLE: readonly Action[] = ['reset', 'request', 'leave', 'giveUp'];

/** Those that stand behind "Something is wrong". */
export function troubleActions(place: Place): readonly Action[] {
  return allowedActions(place).filter((action) => TROUBLE.includes(action));
}
