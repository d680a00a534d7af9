import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app';
import { LoadingPage } from './features/shell/stand-ins';
import { currentLanguage, startLanguage } from './i18n';
import { startFonts } from './lib/fonts';
import { currentUser } from './lib/guards';
import { keys } from './lib/queries';
import { queryClient } from './lib/query-client';
import { markStaleChunks } from './lib/stale-chunk';
import { createAppRouter, PENDING_MS } from './router';
import './styles/index.css';

/** Less than three tries at a server that does not answer take. */
const PATIENCE_MS = 2_000;

markStaleChunks();
const router = createAppRouter();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The server marks pages that it sent without having got a session: nobody has to be asked for.
if (root.dataset.visitor !== undefined) queryClient.setQueryData(keys.me, null);
// The session, the language and the first page's code are asked for at once instead of one after the other. What fails is asked for again by
// the page, which shows it.
const { pathname, search } = router.latestLocation;
const first = Promise.allSettled([
  currentUser(),
  ...router.matchRoutes(pathname, search).map(({ routeId }) => router.loadRouteChunk(router.routesById[routeId])),
]);

await startLanguage();
// A page that was written ahead in the language that the reader has chosen is made alive as it stands; everything else is drawn anew.
if (root.dataset.prerendered === currentLanguage()) {
  // The router's mark of a tree that was rendered elsewhere: without it the browser's tree has a Suspense at its root that the page lacks.
  router.ssr = { manifest: undefined };
  await router.load();
  hydrateRoot(root, <App router={router} />);
} else {
  await startFonts();
  const page = createRoot(root);
  // SPEC §2: a spinner while the session is checked. The router would not take its own away for the skeleton of a page that loads for long.
  const spinner = setTimeout(() => page.render(<LoadingPage />), PENDING_MS);
  // Nor is it waited for in vain: without an answer the page says so.
  await Promise.race([first, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  clearTimeout(spinner);
  page.render(<App router={router} />);
}
