import { startTransition } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { keys } from '@/entities/keys';
import { App } from './app';
import { currentUser } from './entities/user/guards';
import { currentLanguage, startLanguage } from './i18n';
import { waitForFonts } from './lib/fonts';
import { createQueryClient } from './lib/query-client';
import { markStaleChunks } from './lib/stale-chunk';
import { beginHydration } from './prerender/hydration';
import { markPrerendered } from './prerender/router-internals';
import { createAppRouter } from './router';
import './styles/index.css';

/** Yields to the browser so that input is handled between tasks. */
const yieldToMain = () => new Promise((resume) => setTimeout(resume));

markStaleChunks();
await yieldToMain();
const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The server marks pages sent without a session, which saves the check.
if (root.dataset.visitor !== undefined) queryClient.setQueryData(keys.me, null);
// Session, language and code of the first page load in parallel.
else currentUser(queryClient).catch(() => undefined); // the guard asks again and shows the failure
for (const match of router.matchRoutes(router.latestLocation.pathname, router.latestLocation.search)) {
  void router.loadRouteChunk(router.routesById[match.routeId]);
}

await startLanguage();
// Hydrates a page prerendered in the reader's language, and renders any other from scratch; mostly
// in a transition, which yields to input.
if (root.dataset.prerendered === currentLanguage()) {
  markPrerendered(router);
  await yieldToMain();
  await router.load();
  beginHydration();
  startTransition(() => {
    hydrateRoot(root, <App router={router} />);
  });
} else {
  await waitForFonts();
  if (root.dataset.prerendered === undefined) startTransition(() => createRoot(root).render(<App router={router} />));
  else await replacePrerendered(root);
}

/**
 * Replaces a page in another language, at once and with its code loaded, so that nothing is typed
 * between reading the old page's fields and removing them.
 */
async function replacePrerendered(container: HTMLElement): Promise<void> {
  await router.load();
  const focused = document.activeElement?.getAttribute('name');
  flushSync(() => createRoot(container).render(<App router={router} />));
  if (focused) container.querySelector<HTMLElement>(`[name="${focused}"]`)?.focus();
}
