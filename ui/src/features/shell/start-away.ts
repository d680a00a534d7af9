import type { QueryClient } from '@tanstack/react-query';
import { keepLastSeen } from '@/entities/deal/keep-last-seen';
import { currentLanguage } from '@/i18n';
import { languageStore } from '@/i18n/language';
import { nameManifest, registerServiceWorker } from '@/lib/service-worker';

let started = false;

/** What a signed-in user's page does for the time that it is closed or offline. A lazy chunk: nothing on the page waits for it. */
export function startAway(queryClient: QueryClient): void {
  keepLastSeen(queryClient);
  if (started) return;
  started = true;
  nameManifest(currentLanguage());
  languageStore.subscribe(() => nameManifest(currentLanguage()));
  // A browser may forbid it, in a private window for example.
  registerServiceWorker().catch(() => undefined);
}
