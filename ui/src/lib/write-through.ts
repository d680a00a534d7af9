import type { QueryClient, QueryKey } from '@tanstack/react-query';

const nothing = () => undefined;

/**
 * Writes a change into what is loaded under a key, and returns that. An answer that is still on its way was asked for before the change and would
 * undo it, also in pages that stood already: as soon as it is there, it is changed, too. So the change may be made twice.
 */
export function writeThrough<T>(client: QueryClient, queryKey: QueryKey, change: (data: T) => T): T | undefined {
  const write = () => client.setQueryData<T>(queryKey, (data) => data && change(data));
  const query = client.getQueryCache().find({ queryKey });
  if (query?.state.fetchStatus === 'fetching') query.promise?.then(write, nothing);
  return write();
}
