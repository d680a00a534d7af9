import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startLanguage } from './i18n';
import { startFonts } from './lib/fonts';
import { currentUser } from './lib/guards';
import { queryClient } from './lib/query-client';
import { reloadOnStaleChunk } from './lib/stale-chunk';
import { createAppRouter } from './router';
import './styles/index.css';

reloadOnStaleChunk();
const router = createAppRouter();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The session, the language and the first page's code are asked for at once instead of one after the other.
currentUser().catch(() => undefined); // the guard asks again and shows what failed
for (const match of router.matchRoutes(router.latestLocation.pathname, router.latestLocation.search)) {
  void router.loadRouteChunk(router.routesById[match.routeId]);
}

await Promise.all([startLanguage(), startFonts()]);
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
