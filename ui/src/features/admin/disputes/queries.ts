import type { DisputeSummary } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import type { DisputeSearch, DisputeTab } from '../admin-search';
import { type LoadStatus, listQuery, waitingQuery } from '../queue/list-query';

const load: LoadStatus<DisputeSummary, DisputeTab> = async (status, paged, signal) => {
  const { disputes, total } = await send(api.GET('/admin/disputes', { params: { query: { ...paged, status } }, signal }));
  return { rows: disputes, total };
};

export const disputesQuery = ({ tab, page }: DisputeSearch) =>
  listQuery({
    key: [...keys.adminDisputes, 'page'],
    choice: { tab: tab ?? 'open' },
    page,
    load: (paged, signal) => load(tab ?? 'open', paged, signal),
  });

export const waitingDisputesQuery = waitingQuery(keys.adminDisputes, ['open', 'appealed'], load, ({ createdAt }) => createdAt);
