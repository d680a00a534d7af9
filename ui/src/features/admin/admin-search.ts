import type { DealStatus } from '@/api/contract';
import { MIN_SEARCH_LENGTH } from '@/entities/user/search-limits';
import { invalidRange, PERIOD } from '@/lib/period-search';
import { oneOf, page, type SearchOf, searchParams, text, uuid, words } from '@/lib/search-params';

/** Parameters of every list; `review` is the row in the drawer. */
const LIST = { page, review: text };

export const listSearch = searchParams(LIST);
export type ListSearch = SearchOf<typeof listSearch>;

const HANDLED_TABS = ['completed', 'failed', 'all'] as const;
export const QUEUE_TABS = ['waiting', ...HANDLED_TABS] as const;
export type QueueTab = (typeof QUEUE_TABS)[number];
export const WITHDRAWAL_TABS = ['waiting', 'held', ...HANDLED_TABS] as const;
export type WithdrawalTab = (typeof WITHDRAWAL_TABS)[number];

/** No `tab` means waiting. */
export const withdrawalQueueSearch = searchParams({ tab: oneOf(['held', ...HANDLED_TABS]), ...LIST, search: words });
export type WithdrawalQueueSearch = SearchOf<typeof withdrawalQueueSearch>;

export const DEPOSIT_METHODS = ['Bkash', 'Nagad'] as const;
export const PAYERS = ['credited', 'never_credited', 'verified', 'unverified'] as const;
export const DEPOSIT_SORTS = ['oldest', 'newest', 'largest'] as const;

export const depositQueueSearch = searchParams({
  tab: oneOf(HANDLED_TABS),
  ...LIST,
  search: words,
  method: oneOf(DEPOSIT_METHODS),
  payer: oneOf(PAYERS),
  sort: oneOf(DEPOSIT_SORTS),
});
export type DepositQueueSearch = SearchOf<typeof depositQueueSearch>;

export const DEAL_STATUSES: readonly DealStatus[] = [
  'Pending',
  'Active',
  'Late',
  'Delivered',
  'Completed',
  'Cancelled',
  'Cancelled by Buyer',
  'Cancelled by Seller',
];

/** No `tab` means all deals. The tab of waiting deals has no filters. */
export const dealSearch = searchParams(
  { tab: oneOf(['decide']), status: oneOf(DEAL_STATUSES), dealId: text, ...LIST },
  ({ tab }) => (tab ? ['status', 'dealId'] : []),
);
export type DealSearch = SearchOf<typeof dealSearch>;

const OTHER_DISPUTE_TABS = ['appealed', 'decided', 'settled', 'closed'] as const;
export const DISPUTE_TABS = ['open', ...OTHER_DISPUTE_TABS] as const;
export type DisputeTab = (typeof DISPUTE_TABS)[number];

/** No `tab` means those to decide. */
export const disputeSearch = searchParams({ tab: oneOf(OTHER_DISPUTE_TABS), page, search: words });
export type DisputeSearch = SearchOf<typeof disputeSearch>;

const OTHER_CORRECTION_TABS = ['confirmed', 'rejected', 'withdrawn', 'expired'] as const;
export const CORRECTION_TABS = ['open', ...OTHER_CORRECTION_TABS] as const;

/** No `tab` means open ones; `propose` is the user of a new correction. */
export const correctionSearch = searchParams({ tab: oneOf(OTHER_CORRECTION_TABS), ...LIST, search: words, propose: uuid });
export type CorrectionSearch = SearchOf<typeof correctionSearch>;

const OTHER_REPORT_TABS = ['appealed', 'decided'] as const;
export const REPORT_TABS = ['open', ...OTHER_REPORT_TABS] as const;
export type ReportTab = (typeof REPORT_TABS)[number];

/** No `tab` means those to decide. */
export const reportSearch = searchParams({ tab: oneOf(OTHER_REPORT_TABS), ...LIST });
export type ReportSearch = SearchOf<typeof reportSearch>;

export const userSearch = searchParams({ ...LIST, search: words }, ({ search }) =>
  search && search.length < MIN_SEARCH_LENGTH ? ['search'] : [],
);
export type UserSearch = SearchOf<typeof userSearch>;

export const chatSearch = searchParams({ one: uuid, other: uuid });
export type ChatSearch = SearchOf<typeof chatSearch>;

export const auditSearch = searchParams({ ...LIST, ...PERIOD, actorId: text, action: text, subject: text }, invalidRange);
export type AuditSearch = SearchOf<typeof auditSearch>;
