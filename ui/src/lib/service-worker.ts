const WORKER = '/service-worker.js';
const MANIFESTS = { en: '/manifest.webmanifest', bn: '/manifest.bn.webmanifest' } as const;

/** Registers the service worker of the site, which the build writes. Without it, everything but the page offline and pushes is there. */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register(WORKER);
}

/** From now on the site is installed under its name in this language. */
export function nameManifest(language: keyof typeof MANIFESTS): void {
  document.querySelector('link[rel="manifest"]')?.setAttribute('href', MANIFESTS[language]);
}
