import { hashKey, queryOptions } from '@tanstack/react-query';
import type {
  AdminDeposit,
  AdminDeposits,
  AdminWithdrawal,
  AdminWithdrawals,
  DepositStatus,
  WithdrawalStatus,
} from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import type { DayRange } from '@/lib/period';
import { queryClient } from '@/lib/query-client';
import { pollEvery } from '@/lib/realtime/live';
import type { QueueTab } from './queue-search';

export const QUEUE_PAGE_SIZE = 10;

/** A range of days as the calls of the admin area take it. */
export const inDays = ({ from, to }: DayRange) => ({ ...(from ? { startDate: from } : {}), ...(to ? { endDate: to } : {}) });

/** How soon a list is asked for again whose changes the socket does not tell. */
export const POLL = 15_000;

/** How soon a queue is asked for again. */
export const pollQueue = () => pollEvery(POLL);

const DEPOSIT_STATUS: Record<QueueTab, { status?: DepositStatus }> = {
  waiting: { status: 'pending' },
  completed: { status: 'completed' },
  failed: { status: 'Failed' },
  all: {},
};
const WITHDRAWAL_STATUS: Record<QueueTab, { status?: WithdrawalStatus }> = {
  waiting: { status: 'pending' },
  completed: { status: 'completed' },
  failed: { status: 'failed' },
  all: {},
};

/** The rows of another page stay until the next page is there; those of another choice, which is a part of the key, do not. */
export const keepChoice =
  (choice: unknown) =>
  <D>(previous: D | undefined, query: { queryKey: readonly unknown[] } | undefined): D | undefined =>
    query?.queryKey.some((part) => hashKey([part]) === hashKey([choice])) ? previous : undefined;

export const depositQueueQuery = (tab: QueueTab, page: number) =>
  queryOptions({
    queryKey: [...keys.adminDeposits, tab, page],
    queryFn: ({ signal }): Promise<AdminDeposits> =>
      send(api.GET('/admin/deposits', { params: { query: { page, limit: QUEUE_PAGE_SIZE, ...DEPOSIT_STATUS[tab] } }, signal })),
    refetchInterval: pollQueue,
    placeholderData: keepChoice(tab),
    // The page says that it could not refresh; a toast every 15 seconds would not help.
    meta: { quiet: true },
  });

export const withdrawalQueueQuery = (tab: QueueTab, page: number) =>
  queryOptions({
    queryKey: [...keys.adminWithdrawals, tab, page],
    queryFn: ({ signal }): Promise<AdminWithdrawals> =>
      send(
        api.GET('/admin/withdrawals', { params: { query: { page, limit: QUEUE_PAGE_SIZE, ...WITHDRAWAL_STATUS[tab] } }, signal }),
      ),
    refetchInterval: pollQueue,
    placeholderData: keepChoice(tab),
    meta: { quiet: true },
  });

/** Puts a row that came with an answer into every list that shows it. */
export function putDeposit(row: AdminDeposit): void {
  queryClient.setQueriesData<AdminDeposits>({ queryKey: keys.adminDeposits }, (data) =>
    data ? { ...data, deposits: data.deposits.map((old) => (old._id === row._id ? row : old)) } : data,
  );
}

export function putWithdrawal(row: AdminWithdrawal): void {
  queryClient.setQueriesData<AdminWithdrawals>({ queryKey: keys.adminWithdrawals }, (data) =>
    data ? { ...data, withdrawals: data.withdrawals.map((old) => (old._id === row._id ? row : old)) } : data,
  );
}
