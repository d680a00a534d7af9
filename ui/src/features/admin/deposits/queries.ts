import type { DepositStatus } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { latinDigits } from '@/lib/money';
import type { DepositQueueSearch, QueueTab } from '../admin-search';
import { listQuery } from '../queue/list-query';

const STATUS: Record<QueueTab, { status?: DepositStatus }> = {
  waiting: { status: 'pending' },
  completed: { status: 'completed' },
  failed: { status: 'Failed' },
  all: {},
};

const MIN_SEARCH = 2;
const MAX_SEARCH = 50;

/** Normalises an amount, "৳ 12,300" to "৳12300"; other text stays. "" if it is too short. */
function searchedFor(text: string): string {
  const plain = latinDigits(text).replace(/[,\s]/g, '');
  const found = /^[$৳]?\d+(?:\.\d+)?$/.test(plain) ? plain : text.slice(0, MAX_SEARCH);
  return found.length < MIN_SEARCH ? '' : found;
}

export const depositQueueQuery = (wanted: DepositQueueSearch) => {
  const { page, method, payer, sort } = wanted;
  const search = searchedFor(wanted.search ?? '');
  const tab: QueueTab = wanted.tab ?? 'waiting';
  return listQuery({
    key: keys.adminDeposits,
    choice: { tab, search, method, payer, sort },
    page,
    load: async (paged, signal) => {
      const query = {
        ...{ ...paged, ...STATUS[tab] },
        ...(search === '' ? {} : { search }),
        ...(method ? { method } : {}),
        ...(payer ? { payer } : {}),
        ...(sort ? { sort } : {}),
      };
      const { deposits, total, totalAmount, secondAdminAbove, receivedTakaAbove } = await send(
        api.GET('/admin/deposits', { params: { query }, signal }),
      );
      return { rows: deposits, total, totalAmount, secondAdminAbove, receivedTakaAbove };
    },
  });
};
