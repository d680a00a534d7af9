import type { Deal, DealDetail, DealStatus, DealTotals, Party, User } from '@/api/contract';
import {
  isPastExit,
  isSuspended,
  type Move,
  mayLeave,
  moveOf,
  type Next,
  nextOf,
  otherOf,
  type Side,
  sellerIsGone,
  sideOf,
} from '@/lib/deal';
import { TITLE_LENGTH, titleOf } from '@/lib/deal-title';
import { type Cents, centsFromWire } from '@/lib/money';
import { TABS, type Tab } from './tabs';

export { heldSum, isOwnMove, isOwnTurn, isUnaccepted, type Side, wasTakenBack } from '@/lib/deal';
export { isOpen } from '@/lib/deal-status';
export { shortId, titleOf } from '@/lib/deal-title';

/** Whether the deal is the user's own. Beside its parties only admins are shown one. */
export function isParty(deal: Deal, me: User): boolean {
  return deal.buyer._id === me._id || deal.seller._id === me._id;
}

export type DealView = {
  deal: DealDetail;
  side: Side;
  other: Party;
  /** This side made the offer. */
  mine: boolean;
  move: Move;
  next: Next;
  /** The buyer may leave by now. */
  leavable: boolean;
  /** Nobody can deliver: the seller's account is suspended, and nothing was ever delivered. */
  sellerGone: boolean;
  /** The other's account is suspended. */
  otherSuspended: boolean;
  price: Cents;
  fee: Cents;
  payout: Cents;
  /** What the buyer gets back when the seller accepts to cancel. */
  back: Cents;
};

/** A deal as one of its two parties sees it. */
export function viewOf(deal: DealDetail, me: User, now: number): DealView {
  const side = sideOf(deal, me._id);
  return {
    deal,
    side,
    other: otherOf(deal, side),
    mine: deal.timeline[0]?.actor?._id === me._id,
    move: moveOf(deal, side),
    next: nextOf(deal, side, now),
    leavable: mayLeave(deal, side, now),
    sellerGone: sellerIsGone(deal),
    otherSuspended: isSuspended(deal, side === 'buyer' ? 'seller' : 'buyer'),
    price: centsFromWire(deal.price),
    fee: centsFromWire(deal.fee),
    payout: centsFromWire(deal.payout),
    back: centsFromWire(isPastExit(deal, now) ? deal.price : deal.payout),
  };
}

/** The description without the line that the title already says, where something is left. */
export function wordsOf(description: string): string {
  const text = description.trim();
  const [line = '', ...rest] = text.split(/\r?\n/);
  const more = rest.join('\n').trim();
  return more !== '' && !titleOf(line).endsWith('…') && Array.from(line.trim()).length <= TITLE_LENGTH ? more : text;
}

/** What stands in each tab. */
export const STATUSES_OF: Record<Tab, DealStatus[]> = {
  pending: ['Pending'],
  active: ['Active'],
  late: ['Late'],
  delivered: ['Delivered'],
  completed: ['Completed'],
  cancelled: ['Cancelled', 'Cancelled by Buyer', 'Cancelled by Seller'],
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

/** How many deals each tab has. */
export function countByTab({ statuses }: Pick<DealTotals, 'statuses'>): Record<Tab, number> {
  const tabs = { pending: 0, active: 0, late: 0, delivered: 0, completed: 0, cancelled: 0 };
  for (const tab of TABS) {
    for (const { status, deals } of statuses) if (STATUSES_OF[tab].includes(status)) tabs[tab] += deals;
  }
  return tabs;
}

/** The tab for an address without one: the first that has something in it. */
export function firstTab(tabs: Record<Tab, number>): Tab {
  return TABS.find((tab) => tabs[tab] > 0) ?? 'pending';
}
