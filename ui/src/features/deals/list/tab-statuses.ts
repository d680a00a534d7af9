import type { DealStatus, DealTotals } from '@/api/contract';
import { TABS, type Tab } from './tabs';

export const STATUSES_OF: Record<Tab, DealStatus[]> = {
  pending: ['Pending'],
  active: ['Active'],
  late: ['Late'],
  delivered: ['Delivered'],
  completed: ['Completed'],
  cancelled: ['Cancelled', 'Cancelled by Buyer', 'Cancelled by Seller'],
};

export const STATUS_OF: Record<Tab, DealStatus> = {
  pending: 'Pending',
  active: 'Active',
  late: 'Late',
  delivered: 'Delivered',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

export function countByTab({ statuses }: Pick<DealTotals, 'statuses'>): Record<Tab, number> {
  const tabs = { pending: 0, active: 0, late: 0, delivered: 0, completed: 0, cancelled: 0 };
  for (const tab of TABS) {
    for (const { status, deals } of statuses) if (STATUSES_OF[tab].includes(status)) tabs[tab] += deals;
  }
  return tabs;
}

/** The first tab with deals, for an address without one. */
export function firstTab(tabs: Record<Tab, number>): Tab {
  return TABS.find((tab) => tabs[tab] > 0) ?? 'pending';
}
