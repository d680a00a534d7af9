const WORKER = '/service-worker.js';
const MANIFESTS = { en: '/manifest.webmanifest', bn: '/manifest.bn.webmanifest' } as const;

/** Without it, only pushes and the offline page are missing. */
export async function registerServiceWorker(): Promise<void> {
  if (import.meta.env.PROD && 'serviceWorker' in navigator) await navigator.serviceWorker.register(WORKER);
}

const PATIENCE_MS = 15_000;

/** May never resolve: if one of its files fails to load, the browser installs no worker. */
export async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  await registerServiceWorker();
  return Promise.race([
    navigator.serviceWorker.ready,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no service worker')), PATIENCE_MS)),
  ]);
}

/** Ends the pushes of this browser and closes those shown. The server's subscription stays. */
export async function endPushes(): Promise<void> {
  const registration = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
  if (!registration || !('PushManager' in window)) return;
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  for (const notification of await registration.getNotifications()) notification.close();
}

/** Sets the name under which the site is installed to this language. */
export function nameManifest(language: keyof typeof MANIFESTS): void {
  document.querySelector('link[rel="manifest"]')?.setAttribute('href', MANIFESTS[language]);
}
