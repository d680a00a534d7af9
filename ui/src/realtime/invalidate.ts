import { hashKey, type QueryKey } from '@tanstack/react-query';
import { queryClient } from '@/lib/query-client';

/** At most one refresh of a key in so many milliseconds: what happens in one transaction comes as several events. */
const PAUSE = 250;

const waiting = new Map<string, QueryKey>();
let timer: ReturnType<typeof setTimeout> | undefined;

function refresh(): void {
  timer = undefined;
  const keys = [...waiting.values()];
  waiting.clear();
  // What is asked now is newer than what is on its way.
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
}

/** What these keys hold is not true any more: what is on the page is asked for again, the rest when it is needed. */
export function invalidate(...keys: readonly QueryKey[]): void {
  for (const key of keys) waiting.set(hashKey(key), key);
  timer ??= setTimeout(refresh, PAUSE);
}
