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
  /** The text for an error without a message of its own, or what is shown instead of the note. */
  failure?: string | ((failed: { error: unknown; onRetry: () => void }) => ReactNode);
  children: (data: NoInfer<T>) => ReactNode;
};

/** A part of a page that one query fills: its skeleton, the reason with Retry, or its data. */
export function QueryPart<T>({ query, skeleton, failure, children }: Props<T>) {
  const { data, error, isLoadingError, isFetching, refetch } = query;
  if (data !== undefined) return children(data);
  if (!isLoadingError) return skeleton;
  const onRetry = () => void refetch();
  if (typeof failure === 'function') return failure({ error, onRetry });
  return <LoadFailed error={error} fallback={failure} busy={isFetching} onRetry={onRetry} />;
}
