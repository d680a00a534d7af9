import type { QueryClient, QueryKey } from '@tanstack/react-query';

const nothing = () => undefined;

/**
 * Changes the cached data of a key and returns it. A response still in flight would overwrite the
 * change, so the change is applied to it, too; `change` must be idempotent.
 */
export function writeThrough<T>(client: QueryClient, queryKey: QueryKey, change: (data: T) => T): T | undefined {
  const write = () => client.setQueryData<T>(queryKey, (data) => data && change(data));
  const query = client.getQueryCache().find({ queryKey });
  if (query?.state.fetchStatus === 'fetching') query.promise?.then(write, nothing);
  return write();
}
