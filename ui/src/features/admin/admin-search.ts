import type { DealStatus } from '@/api/contract';
import { MIN_SEARCH_LENGTH } from '@/entities/user/search-limits';
import { invalidRange, PERIOD } from '@/lib/period-search';
import { oneOf, page, type SearchOf, searchParams, tabOf, text, uuid, words } from '@/lib/search-params';

/** Parameters of every list; `review` is the row in the drawer. */
const LIST = { page, review: text };

export const listSearch = searchParams(LIST);
export type ListSearch = SearchOf<typeof listSearch>;

export const supportSearch = searchParams({ ...LIST, search: words });
export type SupportSearch = SearchOf<typeof supportSearch>;

export const QUEUE_TABS = ['waiting', 'completed', 'failed', 'all'] as const;
export type QueueTab = (typeof QUEUE_TABS)[number];
export const WITHDRAWAL_TABS = ['waiting', 'held', 'completed', 'failed', 'all'] as const;
export type WithdrawalTab = (typeof WITHDRAWAL_TABS)[number];

export const withdrawalQueueSearch = searchParams({ tab: tabOf(WITHDRAWAL_TABS), ...LIST, search: words });
export type WithdrawalQueueSearch = SearchOf<typeof withdrawalQueueSearch>;

export const DEPOSIT_METHODS = ['Bkash', 'Nagad'] as const;
export const PAYERS = ['credited', 'never_credited', 'verified', 'unverified'] as const;
export const DEPOSIT_SORTS = ['oldest', 'newest', 'largest'] as const;

export const depositQueueSearch = searchParams({
  tab: tabOf(QUEUE_TABS),
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

export const DISPUTE_TABS = ['open', 'appealed', 'decided', 'settled', 'closed'] as const;
export type DisputeTab = (typeof DISPUTE_TABS)[number];

export const disputeSearch = searchParams({ tab: tabOf(DISPUTE_TABS), page, search: words });
export type DisputeSearch = SearchOf<typeof disputeSearch>;

export const CORRECTION_TABS = ['open', 'confirmed', 'rejected', 'withdrawn', 'expired'] as const;

/** `propose` is the user of a new correction. */
export const correctionSearch = searchParams({ tab: tabOf(CORRECTION_TABS), ...LIST, search: words, propose: uuid });
export type CorrectionSearch = SearchOf<typeof correctionSearch>;

export const PAYMENT_TABS = ['all', 'unclaimed', 'left', 'unread'] as const;

export const paymentSearch = searchParams({ tab: tabOf(PAYMENT_TABS), page });
export type PaymentSearch = SearchOf<typeof paymentSearch>;

export const REPORT_TABS = ['open', 'appealed', 'decided'] as const;
export type ReportTab = (typeof REPORT_TABS)[number];

export const reportSearch = searchParams({ tab: tabOf(REPORT_TABS), ...LIST, search: words });
export type ReportSearch = SearchOf<typeof reportSearch>;

export const userSearch = searchParams({ ...LIST, search: words }, ({ search }) =>
  search && search.length < MIN_SEARCH_LENGTH ? ['search'] : [],
);
export type UserSearch = SearchOf<typeof userSearch>;

export const chatSearch = searchParams({ one: uuid, other: uuid });
export type ChatSearch = SearchOf<typeof chatSearch>;

export const noticeSearch = searchParams({ page });

export const auditSearch = searchParams({ ...LIST, ...PERIOD, actorId: text, action: text, subject: text }, invalidRange);
export type AuditSearch = SearchOf<typeof auditSearch>;
