import type { ReactNode } from 'react';
import { LoadFailed } from './load-failed';

/** What `useQuery` and `useInfiniteQuery` return. */
type Query<T> = {
  data: T | undefined;
  error: unknown;
  isLoadingError: boolean;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
};

type Props<T> = {
  query: Query<T>;
  /** In the shape of the part. */
  skeleton: ReactNode;
  /** Shown for an error without a message of its own. */
  failure?: string;
  children: (data: NoInfer<T>) => ReactNode;
};

/** A part of a page that one query fills: its skeleton, the reason with Retry, or its data. */
export function QueryPart<T>({ query, skeleton, failure, children }: Props<T>) {
  const { data, error, isLoadingError, isFetching, refetch } = query;
  if (data !== undefined) return children(data);
  if (!isLoadingError) return skeleton;
  return <LoadFailed error={error} fallback={failure} busy={isFetching} onRetry={() => void refetch()} />;
}
