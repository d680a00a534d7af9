import { hashKey, type QueryClient } from '@tanstack/react-query';
import type { HistoryState, RegisteredRouter } from '@tanstack/react-router';
import type { User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { perClient } from '@/lib/per-client';
import { clearSessionCache } from '@/lib/query-client';
import { reloadFromHome } from '@/lib/reload';
import { enableStorage } from '@/lib/storage';
import { claimStorage, clearStorage } from '@/lib/storage-owner';

type Page = {
  /** Whose data this page has loaded. When their session ends they may come back, and nothing is lost. Or somebody else comes. */
  owner: string | null;
  watched: boolean;
};

const pageOf = perClient((): Page => ({ owner: null, watched: false }));

/** Nobody sees what was loaded for another, or typed by them. */
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

/** From now on the page notices when its user becomes another, whoever finds out: in another tab somebody has logged in, say. */
export function watchPageOwner(queryClient: QueryClient): void {
  const page = pageOf(queryClient);
  follow(page, queryClient.getQueryData<User | null>(keys.me));
  if (page.watched) return;
  page.watched = true;
  queryClient.getQueryCache().subscribe(({ query, type }) => {
    if (type === 'updated' && query.queryHash === ME) follow(page, query.state.data as User | null);
  });
}

/** The user goes for good: what was loaded for them is forgotten, and what they typed and did not send; pushes end. `state` is for the log-in page. */
export async function leavePage(router: RegisteredRouter, state: HistoryState = {}): Promise<void> {
  const { queryClient } = router.options.context;
  clearStorage();
  // What the server has sent to this browser before and is still on its way would be shown.
  import('@/lib/service-worker').then(({ endPushes }) => endPushes()).catch(() => undefined);
  queryClient.setQueryData(keys.me, null);
  await router.navigate({ to: '/login', state });
  clearSessionCache(queryClient);
  pageOf(queryClient).owner = null;
  enableStorage(true);
}
