import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { AdminDeposit, AdminWithdrawal, DepositStatus, WithdrawalStatus } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import type { DayRange } from '@/lib/period';
import type { Rows } from '@/lib/rows';
import { listQuery } from './list-query';
import type { QueueSearch, QueueTab } from './queue-search';

export const inDays = ({ from, to }: DayRange) => ({ ...(from ? { startDate: from } : {}), ...(to ? { endDate: to } : {}) });

export const DEPOSIT_STATUS: Record<QueueTab, { status?: DepositStatus }> = {
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

export const withdrawalQueueQuery = ({ tab, page }: QueueSearch) =>
  listQuery({
    key: keys.adminWithdrawals,
    choice: { tab: tab ?? 'waiting' },
    page,
    load: async (paged, signal) => {
      const query = { ...paged, ...WITHDRAWAL_STATUS[tab ?? 'waiting'] };
      const { withdrawals, total } = await send(api.GET('/admin/withdrawals', { params: { query }, signal }));
      return { rows: withdrawals, total };
    },
  });

function putRow(queryClient: QueryClient, queryKey: QueryKey, row: AdminDeposit | AdminWithdrawal): void {
  queryClient.setQueriesData<Rows<typeof row>>({ queryKey }, (data) =>
    data ? { ...data, rows: data.rows.map((old) => (old._id === row._id ? row : old)) } : data,
  );
}

export const putDeposit = (queryClient: QueryClient, row: AdminDeposit): void => putRow(queryClient, keys.adminDeposits, row);
export const putWithdrawal = (queryClient: QueryClient, row: AdminWithdrawal): void =>
  putRow(queryClient, keys.adminWithdrawals, row);
