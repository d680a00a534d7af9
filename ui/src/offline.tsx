import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { OfflinePage } from './features/offline/offline-page';
import { startLanguage } from './i18n';

// The script of offline.html, built separately (tools/service-worker.ts). The service worker serves
// it without a network.
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

await startLanguage();
createRoot(root).render(
  <StrictMode>
    <OfflinePage />
  </StrictMode>,
);
