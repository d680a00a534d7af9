import { hashKey } from '@tanstack/react-query';
import type { useRouter } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { clearSessionCache, queryClient } from '@/lib/query-client';
import { reloadFromHome } from '@/lib/reload';
import { claimStorage, clearStorage, enableStorage } from '@/lib/storage';

/** Whose data this page has loaded. When his session ends he may come back, and nothing is lost. Or somebody else comes. */
let owner: string | null = null;

/** Nobody sees what was loaded for another, or typed by him. */
function follow(user: User | null | undefined): void {
  if (!user || user._id === owner) return;
  claimStorage(user._id);
  if (owner) {
    enableStorage(false);
    reloadFromHome();
  }
  owner = user._id;
}

const ME = hashKey(keys.me);
let following = false;

/** From now on the page notices when its user becomes another, whoever finds out: in another tab somebody has logged in, say. */
export function watchPageOwner(): void {
  follow(queryClient.getQueryData<User | null>(keys.me));
  if (following) return;
  following = true;
  queryClient.getQueryCache().subscribe(({ query, type }) => {
    if (type === 'updated' && query.queryHash === ME) follow(query.state.data as User | null);
  });
}

/** Nothing of anybody's is on the page any more. */
export function forgetPageOwner(): void {
  owner = null;
  enableStorage(true);
}

/** The user goes for good: what was loaded for him is forgotten, and what he typed and did not send. */
export async function leavePage(router: ReturnType<typeof useRouter>): Promise<void> {
  clearStorage();
  queryClient.setQueryData(keys.me, null);
  await router.navigate({ to: '/login' });
  clearSessionCache();
  forgetPageOwner();
}
