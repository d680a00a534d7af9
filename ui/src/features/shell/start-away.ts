import type { QueryClient } from '@tanstack/react-query';
import type { User } from '@/api/contract';
import { keepLastSeen } from '@/entities/deal/keep-last-seen';
import { keys } from '@/entities/keys';
import { pushState, renewPush } from '@/entities/notification/push';
import { currentLanguage } from '@/i18n';
import { languageStore } from '@/i18n/language';
import { nameManifest, registerServiceWorker } from '@/lib/service-worker';

/** For browsers without requestIdleCallback. */
const IDLE_DELAY = 3_000;

/** At first, the service worker loads the offline page, half as large as a page. */
const whenIdle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: IDLE_DELAY });
    else setTimeout(resolve, IDLE_DELAY);
  });

let named = false;

/** For the time when the page is closed or offline: last-seen data, service worker, pushes. */
export function startAway(queryClient: QueryClient): void {
  keepLastSeen(queryClient);
  const user = queryClient.getQueryData<User | null>(keys.me);
  // A browser may forbid it, as in a private window. The next page tries again.
  whenIdle()
    .then(registerServiceWorker)
    .then(() => (user && pushState() === 'ready' ? renewPush(user._id) : undefined))
    .catch(() => undefined);
  if (named) return;
  named = true;
  nameManifest(currentLanguage());
  languageStore.subscribe(() => nameManifest(currentLanguage()));
}
