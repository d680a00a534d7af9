import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { OfflinePage } from './features/offline/offline-page';
import { startLanguage } from './i18n';

// The script of offline.html, built apart from the application (tools/service-worker.ts): the service worker answers with it where the network does not.
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

await startLanguage();
createRoot(root).render(
  <StrictMode>
    <OfflinePage />
  </StrictMode>,
);
