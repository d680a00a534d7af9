import type { DisputeSummary } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import type { DisputeSearch, DisputeTab } from '../admin-search';
import { type LoadStatus, listQuery, waitingQuery } from '../queue/list-query';

const loadOf =
  (search?: string): LoadStatus<DisputeSummary, DisputeTab> =>
  async (status, paged, signal) => {
    const query = { ...paged, status, ...(search ? { search } : {}) };
    const { disputes, total } = await send(api.GET('/admin/disputes', { params: { query }, signal }));
    return { rows: disputes, total };
  };

export const disputesQuery = ({ tab, page, search }: DisputeSearch) =>
  listQuery({
    key: [...keys.adminDisputes, 'page'],
    choice: { tab: tab ?? 'open', search },
    page,
    load: (paged, signal) => loadOf(search)(tab ?? 'open', paged, signal),
  });

export const waitingDisputesQuery = waitingQuery(
  keys.adminDisputes,
  ['open', 'appealed'],
  loadOf(),
  ({ createdAt }) => createdAt,
);
