import type { Deal, DealDetail, DealStatus, Party, User } from '@/api/contract';
import { holderOf } from '@/components/khata/holder';
import { TITLE_LENGTH, titleOf } from '@/lib/deal-title';
import { type Cents, centsFromWire } from '@/lib/money';
import { TABS, type Tab } from './tabs';

export { shortId, titleOf } from '@/lib/deal-title';

export type Side = 'buyer' | 'seller';

/** What the deal waits for, seen from one side. The first four are this side's own moves. */
export type Move = 'pay' | 'deliver' | 'check' | 'answer' | 'waitPay' | 'waitDelivery' | 'waitCheck' | 'waitAnswer' | 'closed';

/** Whether the deal is the user's own. Beside its parties only admins are shown one. */
export function isParty(deal: Deal, me: User): boolean {
  return deal.buyer._id === me._id || deal.seller._id === me._id;
}

export function sideOf(deal: Deal, me: User): Side {
  return deal.buyer._id === me._id ? 'buyer' : 'seller';
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

export function isOwnMove(move: Move): boolean {
  return move === 'pay' || move === 'deliver' || move === 'check' || move === 'answer';
}

/** Whether the money is in trust. */
export function isOpen(status: DealStatus): boolean {
  return holderOf(status) === 'amanat';
}

/** Whether the buyer may leave with the whole price, without anybody's consent: nothing was ever delivered and it is late by a day (DESIGN §3). */
export function mayLeave(deal: Deal, side: Side, now: number): boolean {
  return side === 'buyer' && deal.exitAt !== null && Date.parse(deal.exitAt) <= now;
}

/** Whether something was delivered and taken back since, by a request for changes or to cancel. */
export function wasTakenBack(deal: Deal): boolean {
  return isOpen(deal.status) && deal.status !== 'Delivered' && deal.exitAt === null;
}

export type DealView = {
  deal: DealDetail;
  side: Side;
  other: Party;
  /** This side made the offer. */
  mine: boolean;
  move: Move;
  /** The buyer may leave by now. */
  leavable: boolean;
  price: Cents;
  fee: Cents;
  payout: Cents;
};

/** A deal as one of its two parties sees it. */
export function viewOf(deal: DealDetail, me: User, now: number): DealView {
  const side = sideOf(deal, me);
  return {
    deal,
    side,
    other: otherOf(deal, side),
    mine: deal.timeline[0]?.actor?._id === me._id,
    move: moveOf(deal, side),
    leavable: mayLeave(deal, side, now),
    price: centsFromWire(deal.price),
    fee: centsFromWire(deal.fee),
    payout: centsFromWire(deal.payout),
  };
}

/** What the holder's column shows: the price, what came back of it, or what the seller got. */
export function heldSum(deal: Deal): Cents {
  if (deal.refund !== null) return centsFromWire(deal.refund);
  return centsFromWire(deal.status === 'Completed' ? deal.payout : deal.price);
}

/** The description without the line that the title already says, where something is left. */
export function wordsOf(description: string): string {
  const text = description.trim();
  const [line = '', ...rest] = text.split(/\r?\n/);
  const more = rest.join('\n').trim();
  return more !== '' && !titleOf(line).endsWith('…') && Array.from(line.trim()).length <= TITLE_LENGTH ? more : text;
}

const TAB_OF: Record<DealStatus, Tab> = {
  Pending: 'pending',
  Active: 'active',
  Late: 'late',
  Delivered: 'delivered',
  Completed: 'completed',
  Cancelled: 'cancelled',
  'Cancelled by Buyer': 'cancelled',
  'Cancelled by Seller': 'cancelled',
};

/** The status whose name is the tab's. */
export const STATUS_OF: Record<Tab, DealStatus> = {
  pending: 'Pending',
  active: 'Active',
  late: 'Late',
  delivered: 'Delivered',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

/** The deals of each tab, in the order they came. */
export function splitByTab<D extends { status: DealStatus }>(deals: readonly D[]): Record<Tab, D[]> {
  const tabs: Record<Tab, D[]> = { pending: [], active: [], late: [], delivered: [], completed: [], cancelled: [] };
  for (const deal of deals) tabs[TAB_OF[deal.status]].push(deal);
  return tabs;
}

/** The tab for an address without one: the first that has something in it. */
export function firstTab(tabs: Record<Tab, readonly unknown[]>): Tab {
  return TABS.find((tab) => tabs[tab].length > 0) ?? 'pending';
}
