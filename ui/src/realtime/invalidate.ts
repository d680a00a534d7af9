import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { perClient } from '@/lib/per-client';

/** At most one refresh of a key in so many milliseconds: what happens in one transaction comes as several events. */
const PAUSE = 250;

const waitingOf = perClient(() => new Map<string, QueryKey>());

function refresh(queryClient: QueryClient): void {
  const waiting = waitingOf(queryClient);
  const keys = [...waiting.values()];
  waiting.clear();
  // What is asked now is newer than what is on its way.
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
}

/** What these keys hold is not true any more: what is on the page is asked for again, the rest when it is needed. */
export function invalidate(queryClient: QueryClient, ...keys: readonly QueryKey[]): void {
  const waiting = waitingOf(queryClient);
  if (waiting.size === 0) setTimeout(() => refresh(queryClient), PAUSE);
  for (const key of keys) waiting.set(hashKey(key), key);
}
