import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Claim, DisputeSummary } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import type { Rows } from '@/lib/rows';
import { listQuery, pollQueue } from '../queue/list-query';
import type { DisputeSearch, DisputeTab } from './dispute-search';

async function load(
  status: DisputeTab,
  paged: { page: number; limit: number },
  signal: AbortSignal,
): Promise<Rows<DisputeSummary>> {
  const { disputes, total } = await send(api.GET('/admin/disputes', { params: { query: { ...paged, status } }, signal }));
  return { rows: disputes, total };
}

export const claimOf = ({ claimedBy, claimedUntil }: DisputeSummary): Claim | null =>
  claimedBy && claimedUntil !== null ? { admin: claimedBy, until: claimedUntil } : null;

export const disputesQuery = ({ tab, page }: DisputeSearch) =>
  listQuery({
    key: [...keys.adminDisputes, 'page'],
    choice: { tab: tab ?? 'open' },
    page,
    load: (paged, signal) => load(tab ?? 'open', paged, signal),
  });

export const waitingDisputesQuery = queryOptions({
  queryKey: [...keys.adminDisputes, 'waiting'],
  queryFn: async ({ signal }) => {
    const first = { page: 1, limit: 1 };
    const [open, appealed] = await Promise.all([load('open', first, signal), load('appealed', first, signal)]);
    const oldest = [...open.rows, ...appealed.rows].map(({ createdAt }) => createdAt).sort()[0];
    return { open: open.total, appealed: appealed.total, total: open.total + appealed.total, oldest };
  },
  refetchInterval: pollQueue,
  meta: { quiet: true },
});

export function putDisputeRow(queryClient: QueryClient, row: DisputeSummary): void {
  queryClient.setQueriesData<Rows<DisputeSummary>>({ queryKey: [...keys.adminDisputes, 'page'] }, (data) =>
    data ? { ...data, rows: data.rows.map((old) => (old._id === row._id ? row : old)) } : data,
  );
}
