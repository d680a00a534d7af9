import { hashKey, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { Claim } from '@/api/contract';
import type { DayRange } from '@/lib/period';
import { pollEvery } from '@/lib/realtime/live';
import type { Rows } from '@/lib/rows';

export const LIST_PAGE_SIZE = 10;

/** The interval for lists without socket events. */
export const POLL = 15_000;

export const pollQueue = () => pollEvery(POLL);

/** Keeps the rows while another page loads, but not when the filters change. */
const keepChoice =
  (choice: unknown) =>
  <D>(previous: D | undefined, query: { queryKey: readonly unknown[] } | undefined): D | undefined =>
    query?.queryKey.some((part) => hashKey([part]) === hashKey([choice])) ? previous : undefined;

type Paged = { page: number; limit: number };

type ListOptions<D> = {
  key: QueryKey;
  choice?: object;
  page?: number | undefined;
  refetchInterval?: typeof pollQueue | number;
  load: (paged: Paged, signal: AbortSignal) => Promise<D>;
};

export function listQuery<D extends Rows<unknown>>(options: ListOptions<D>) {
  const { key, choice = {}, page = 1, refetchInterval = pollQueue, load } = options;
  return queryOptions({
    queryKey: [...key, choice, page],
    queryFn: ({ signal }): Promise<D> => load({ page, limit: LIST_PAGE_SIZE }, signal),
    refetchInterval,
    placeholderData: keepChoice(choice),
    // The page shows failures; a toast every 15 seconds would not help.
    meta: { quiet: true },
  });
}

export type LoadStatus<R, S> = (status: S, paged: Paged, signal: AbortSignal) => Promise<Rows<R>>;

/**
 * The number of rows that wait for an admin, by status, and the time since when the oldest does.
 */
export function waitingQuery<R, S extends string>(
  key: QueryKey,
  statuses: readonly S[],
  load: LoadStatus<R, NoInfer<S>>,
  since: (row: NoInfer<R>) => string,
) {
  return queryOptions({
    queryKey: [...key, 'waiting'],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(statuses.map((status) => load(status, { page: 1, limit: 1 }, signal)));
      const totals = Object.fromEntries(statuses.map((status, index) => [status, lists[index]?.total ?? 0]));
      return {
        ...(totals as Record<S, number>),
        total: lists.reduce((sum, { total }) => sum + total, 0),
        oldest: lists.flatMap(({ rows }) => rows.map((row) => since(row))).sort()[0],
      };
    },
    refetchInterval: pollQueue,
    meta: { quiet: true },
  });
}

/** Replaces a row in the loaded pages of its list. */
export function putRow(queryClient: QueryClient, list: QueryKey, row: { _id: string }): void {
  queryClient.setQueriesData<Partial<Rows<typeof row>>>({ queryKey: list }, (data) =>
    data?.rows ? { ...data, rows: data.rows.map((old) => (old._id === row._id ? row : old)) } : data,
  );
}

export const inDays = ({ from, to }: DayRange) => ({ ...(from ? { startDate: from } : {}), ...(to ? { endDate: to } : {}) });

type Claimed = { claimedBy: Claim['admin'] | null; claimedUntil: string | null };

/** The claim of a dispute or a report. */
export const claimOf = ({ claimedBy, claimedUntil }: Claimed): Claim | null =>
  claimedBy && claimedUntil !== null ? { admin: claimedBy, until: claimedUntil } : null;
