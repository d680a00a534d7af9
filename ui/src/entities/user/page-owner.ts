import { hashKey, type QueryClient } from '@tanstack/react-query';
import type { HistoryState, RegisteredRouter } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { perClient } from '@/lib/per-client';
import { clearSessionCache } from '@/lib/query-client';
import { reloadFromHome } from '@/lib/redirect';
import { endPushes } from '@/lib/service-worker';
import { enableStorage } from '@/lib/storage';
import { claimStorage, clearStorage } from '@/lib/storage-owner';

type Page = {
  /** They may log in again after their session ends, or somebody else does. */
  owner: string | null;
  watched: boolean;
};

const pageOf = perClient((): Page => ({ owner: null, watched: false }));

/** Removes loaded and typed data of another user. */
function follow(page: Page, user: User | null | undefined): void {
  if (!user || user._id === page.owner) return;
  claimStorage(user._id);
  if (page.owner) {
    enableStorage(false);
    reloadFromHome();
  }
  page.owner = user._id;
}

const ME = hashKey(keys.me);

/** Watches for a change of the page's user, such as a login in another tab. */
export function watchPageOwner(queryClient: QueryClient): void {
  const page = pageOf(queryClient);
  follow(page, queryClient.getQueryData<User | null>(keys.me));
  if (page.watched) return;
  page.watched = true;
  queryClient.getQueryCache().subscribe(({ query, type }) => {
    if (type === 'updated' && query.queryHash === ME) follow(page, query.state.data as User | null);
  });
}

/** Removes the user's data and input, and ends pushes. `state` is for the login page. */
export async function leavePage(router: RegisteredRouter, state: HistoryState = {}): Promise<void> {
  const { queryClient } = router.options.context;
  clearStorage();
  // Pushes still on their way would be shown otherwise.
  endPushes().catch(() => undefined);
  queryClient.setQueryData(keys.me, null);
  await router.navigate({ to: '/login', state });
  clearSessionCache(queryClient);
  pageOf(queryClient).owner = null;
  enableStorage(true);
}
