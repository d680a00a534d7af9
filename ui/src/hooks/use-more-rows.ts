import { useInfiniteQuery } from '@tanstack/react-query';
import { nextPage, type Rows, rowsOf } from '@/lib/rows';

type More<T> = {
  /** The first page, from another response. */
  first: readonly T[];
  total: number;
  queryKey: readonly unknown[];
  load: (page: number, signal: AbortSignal) => Promise<Rows<T>>;
};

/** Further pages of a list whose first page is loaded. A changed first page starts over. */
export function useMoreRows<T extends { _id: string }>({ first, total, queryKey, load }: More<T>) {
  const begun: Rows<T> = { rows: [...first], total };
  const { data, error, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: [...queryKey, first[0]?._id, total],
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: 2,
    getNextPageParam: (last, pages) => nextPage(last, [begun, ...pages]),
    enabled: false,
  });
  const rows = rowsOf([begun, ...(data?.pages ?? [])]);
  return { rows, rest: total - rows.length, busy: isFetching, error, more: () => void fetchNextPage() };
}
