import type { WithdrawalStatus } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import type { QueueSearch, QueueTab } from '../admin-search';
import { listQuery } from '../queue/list-query';

const STATUS: Record<QueueTab, { status?: WithdrawalStatus }> = {
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
      const query = { ...paged, ...STATUS[tab ?? 'waiting'] };
      const { withdrawals, total } = await send(api.GET('/admin/withdrawals', { params: { query }, signal }));
      return { rows: withdrawals, total };
    },
  });
