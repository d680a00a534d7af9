import type { QueryClient } from '@tanstack/react-query';
import type { User } from '@/api/contract';
import { keepLastSeen } from '@/entities/deal/keep-last-seen';
import { keys } from '@/entities/keys';
import { pushState, renewPush } from '@/entities/notification/push';
import { currentLanguage } from '@/i18n';
import { languageStore } from '@/i18n/language';
import { nameManifest, registerServiceWorker } from '@/lib/service-worker';

/** Not every browser tells when a page has nothing to do. */
const LATER = 3_000;

/** The first time, the service worker loads the offline page, which is as large as half a page: not while this one loads. */
const whenIdle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: LATER });
    else setTimeout(resolve, LATER);
  });

let named = false;

/** What a signed-in user's page does for the time that it is closed or offline. A lazy chunk: nothing on the page waits for it. */
export function startAway(queryClient: QueryClient): void {
  keepLastSeen(queryClient);
  const user = queryClient.getQueryData<User | null>(keys.me);
  // A browser may forbid it, in a private window for example. What fails now is done when the next page is opened.
  whenIdle()
    .then(registerServiceWorker)
    .then(() => (user && pushState() === 'ready' ? renewPush(user._id) : undefined))
    .catch(() => undefined);
  if (named) return;
  named = true;
  nameManifest(currentLanguage());
  languageStore.subscribe(() => nameManifest(currentLanguage()));
}
