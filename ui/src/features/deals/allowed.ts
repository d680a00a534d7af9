import { type DealView, isOpen } from './deal';

/**
 * What a party can do with a deal. `request` asks the seller to cancel, `accept` and `refuse` are his answers, `giveUp` is his own
 * cancellation; `leave` is the buyer's way out of a deal that is too late.
 */
export type Action = 'pay' | 'release' | 'deliver' | 'remove' | 'reset' | 'request' | 'leave' | 'accept' | 'refuse' | 'giveUp';

const MONEY: readonly Action[] = ['pay', 'release', 'leave', 'accept', 'giveUp'];

/** Whether money moves at once: such a button says "Payment processing" while it does. */
export function movesMoney(action: Action): boolean {
  return MONEY.includes(action);
}

type Place = Pick<DealView, 'deal' | 'side' | 'leavable'>;

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
  return deal.status === 'Delivered' ? ['giveUp'] : ['deliver', 'giveUp'];
}

/** Which actions the deal has for this side now (DESIGN §3). */
export function allowed(place: Place): readonly Action[] {
  const { deal, side } = place;
  if (deal.status === 'Pending') return side === 'buyer' ? ['pay', 'remove'] : ['remove'];
  if (!isOpen(deal.status)) return [];
  return side === 'buyer' ? ofBuyer(place) : ofSeller(place);
}

const TROUBLE: readonly Action[] = ['reset', 'request', 'leave', 'giveUp'];

/** Those that stand behind "Something is wrong". */
export function troubles(place: Place): readonly Action[] {
  return allowed(place).filter((action) => TROUBLE.includes(action));
}
