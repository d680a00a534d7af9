import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startLanguage } from './i18n';
import { queryClient } from './lib/query-client';
import { reloadOnStaleChunk } from './lib/stale-chunk';
import { createAppRouter } from './router';
import './styles/index.css';

reloadOnStaleChunk();
const router = createAppRouter();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

await startLanguage();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
