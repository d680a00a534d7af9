import type { InfiniteQueryExecuteOptions, QueryClient, QueryExecuteOptions, QueryKey } from '@tanstack/react-query';

/** `queryOptions` and `infiniteQueryOptions` of any data. */
type Prefetched = { queryKey: QueryKey; staleTime?: unknown; retry?: unknown };

/**
 * Starts the queries that have no data yet (or whose own `staleTime` is over), and waits for none:
 * the parts that use them show skeletons and failures.
 */
export function prefetch(queryClient: QueryClient, ...queries: Prefetched[]): void {
  for (const query of queries) {
    const options = { staleTime: 'static' as const, ...query };
    const load =
      'initialPageParam' in options
        ? queryClient.infiniteQuery(options as InfiniteQueryExecuteOptions)
        : queryClient.query(options as QueryExecuteOptions);
    load.catch(() => undefined);
  }
}

/** Starts loading code that is needed soon. If that fails, it is loaded again when it is used. */
export function preload(load: () => Promise<unknown>): void {
  load().catch(() => undefined);
}
