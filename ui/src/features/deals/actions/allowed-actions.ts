import { isCountered, isUnaccepted } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import type { DealView } from '../deal-view';
import { type Action, DEAL_ACTIONS } from './deal-actions';

type Place = Pick<DealView, 'deal' | 'side' | 'move' | 'leavable' | 'ruled'>;

function ofBuyer({ deal, leavable, ruled }: Place): readonly Action[] {
  const left = deal.requestsLeft > 0;
  return [
    'release',
    ...(deal.status === 'Delivered' && left ? (['reset'] as const) : []),
    ...(left && !leavable && !deal.cancellationRequested && !ruled ? (['request'] as const) : []),
    ...(leavable ? (['leave'] as const) : []),
  ];
}

function ofSeller({ deal, ruled }: Place): readonly Action[] {
  if (deal.cancellationRequested) return ruled ? ['giveUp'] : ['accept', 'refuse', 'giveUp'];
  if (isUnaccepted(deal)) return ['agree', 'deliver', 'giveBack'];
  return deal.status === 'Delivered' ? ['giveUp'] : ['deliver', 'giveUp'];
}

/** docs/rules.md#deal-actions */
export function allowedActions(place: Place): readonly Action[] {
  const { deal, side, move } = place;
  if (move === 'blocked' || isCountered(deal)) return ['remove'];
  if (deal.status === 'Pending') {
    if (side === 'buyer') return ['pay', 'remove'];
    return isUnaccepted(deal) ? ['agree', 'remove'] : ['remove'];
  }
  if (!isOpen(deal.status)) return [];
  return side === 'buyer' ? ofBuyer(place) : ofSeller(place);
}

export function troubleActions(place: Place): readonly Action[] {
  return allowedActions(place).filter((action) => DEAL_ACTIONS[action].trouble);
}
