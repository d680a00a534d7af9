import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { perClient } from '@/lib/per-client';

/** At most one refresh per interval, because one transaction causes several events. */
const REFRESH_INTERVAL = 250;

const waitingOf = perClient(() => new Map<string, QueryKey>());

function refresh(queryClient: QueryClient): void {
  const waiting = waitingOf(queryClient);
  const keys = [...waiting.values()];
  waiting.clear();
  // A new request replaces one already in flight.
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
}

/** Invalidates the keys; active queries refetch now, others when used. */
export function invalidate(queryClient: QueryClient, ...keys: readonly QueryKey[]): void {
  const waiting = waitingOf(queryClient);
  if (waiting.size === 0) setTimeout(() => refresh(queryClient), REFRESH_INTERVAL);
  for (const key of keys) waiting.set(hashKey(key), key);
}
