import { hashKey } from '@tanstack/react-query';
import type { useRouter } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { forgetWords, keepWordsOf, setKeeping } from './kept';
import { keys } from './queries';
import { forgetLoaded, queryClient } from './query-client';
import { startOver } from './start-over';

/** Whose data this page has loaded. When his session ends he may come back, and nothing is lost. Or somebody else comes. */
let owner: string | null = null;

/** Nobody sees what was loaded for another, or typed by him. */
function follow(user: User | null | undefined): void {
  if (!user || user._id === owner) return;
  keepWordsOf(user._id);
  if (owner) {
    setKeeping(false);
    startOver();
  }
  owner = user._id;
}

const ME = hashKey(keys.me);
let following = false;

/** From now on the page notices when its user becomes another, whoever finds out: in another tab somebody has logged in, say. */
export function watchOwner(): void {
  follow(queryClient.getQueryData<User | null>(keys.me));
  if (following) return;
  following = true;
  queryClient.getQueryCache().subscribe(({ query, type }) => {
    if (type === 'updated' && query.queryHash === ME) follow(query.state.data as User | null);
  });
}

/** Nothing of anybody's is on the page any more. */
export function forgetOwner(): void {
  owner = null;
  setKeeping(true);
}

/** The user goes for good: what was loaded for him is forgotten, and what he typed and did not send. */
export async function leavePage(router: ReturnType<typeof useRouter>): Promise<void> {
  forgetWords();
  queryClient.setQueryData(keys.me, null);
  await router.navigate({ to: '/login' });
  forgetLoaded();
  forgetOwner();
}
