import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startLanguage } from '@/i18n';
import { transport } from '@/lib/api';
import { waitForFonts } from '@/lib/fonts';
import { createQueryClient } from '@/lib/query-client';
import { ComponentsPage } from './page';
import './dev.css';

// No server: the parts only request today's rate.
transport.fetch = () => Promise.resolve(Response.json({ usdToBdt: 122.4 }));

// Links look as in the application and lead nowhere.
const router = createRouter({
  routeTree: createRootRoute({ component: ComponentsPage, notFoundComponent: () => null }),
  history: createMemoryHistory(),
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
await startLanguage();
await waitForFonts();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
