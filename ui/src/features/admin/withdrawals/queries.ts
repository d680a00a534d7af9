import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { latinDigits } from '@/lib/money';
import type { WithdrawalQueueSearch } from '../admin-search';
import { listQuery } from '../queue/list-query';

const STATUS = {
  waiting: { status: 'pending' },
  held: { status: 'held' },
  completed: { status: 'completed' },
  failed: { status: 'failed' },
  all: {},
} as const;

export const withdrawalQueueQuery = ({ tab, page, search = '' }: WithdrawalQueueSearch) =>
  listQuery({
    key: keys.adminWithdrawals,
    choice: { tab: tab ?? 'waiting', search },
    page,
    load: async (paged, signal) => {
      const query = { ...paged, ...STATUS[tab ?? 'waiting'], ...(search === '' ? {} : { search: latinDigits(search) }) };
      const { withdrawals, total } = await send(api.GET('/admin/withdrawals', { params: { query }, signal }));
      return { rows: withdrawals, total };
    },
  });
