import type { Deal, DealDetail, DealStatus, Party, User } from '@/api/contract';
import { type Move, mayLeave, moveOf, otherOf, type Side, sideOf } from '@/lib/deal';
import { TITLE_LENGTH, titleOf } from '@/lib/deal-title';
import { type Cents, centsFromWire } from '@/lib/money';
import { TABS, type Tab } from './tabs';

export { heldSum, isOwnMove, type Side, wasTakenBack } from '@/lib/deal';
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
  /** The buyer may leave by now. */
  leavable: boolean;
  price: Cents;
  fee: Cents;
  payout: Cents;
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
    leavable: mayLeave(deal, side, now),
    price: centsFromWire(deal.price),
    fee: centsFromWire(deal.fee),
    payout: centsFromWire(deal.payout),
  };
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
