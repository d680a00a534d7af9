import type { InfiniteQueryExecuteOptions, QueryClient, QueryExecuteOptions, QueryKey } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import { isApiError } from './errors';

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

/**
 * Waits for the query that a page cannot do without, unless it has data already. What the server
 * does not find is the route's `notFoundComponent`.
 */
export async function load<T, K extends QueryKey>(
  queryClient: QueryClient,
  query: QueryExecuteOptions<T, Error, T, T, K>,
): Promise<T> {
  return queryClient.query({ staleTime: 'static', ...query }).catch((error: unknown) => {
    throw isApiError(error, 'not_found') ? notFound() : error;
  });
}

/** Starts loading code that is needed soon. If that fails, it is loaded again when it is used. */
export function preload(load: () => Promise<unknown>): void {
  load().catch(() => undefined);
}
