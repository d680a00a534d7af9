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

/** Between two pieces of work a cheap phone has a moment for its reader. */
const yieldToMain = () => new Promise((resume) => setTimeout(resume));

markStaleChunks();
await yieldToMain();
const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The server marks pages that it sent without having got a session: nobody has to be asked for.
if (root.dataset.visitor !== undefined) queryClient.setQueryData(keys.me, null);
// The session, the language and the first page's code are asked for at once instead of one after the other.
else currentUser(queryClient).catch(() => undefined); // the guard asks again and shows what failed
for (const match of router.matchRoutes(router.latestLocation.pathname, router.latestLocation.search)) {
  void router.loadRouteChunk(router.routesById[match.routeId]);
}

await startLanguage();
// A page that was prerendered in the language that the reader has chosen is hydrated; everything else is rendered from scratch.
// Mostly in a transition, which gives way to whatever the reader does meanwhile.
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
 * Renders over a page in another language. At once and with its code loaded, so that nobody can type between the moment in which forms
 * read the fields of the old page and the one in which it goes.
 */
async function replacePrerendered(container: HTMLElement): Promise<void> {
  await router.load();
  const focused = document.activeElement?.getAttribute('name');
  flushSync(() => createRoot(container).render(<App router={router} />));
  if (focused) container.querySelector<HTMLElement>(`[name="${focused}"]`)?.focus();
}
