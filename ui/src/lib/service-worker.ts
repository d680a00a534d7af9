const WORKER = '/service-worker.js';
const MANIFESTS = { en: '/manifest.webmanifest', bn: '/manifest.bn.webmanifest' } as const;

/** Registers the service worker of the site, which the build writes. Without it, everything but the offline page and pushes is there. */
export async function registerServiceWorker(): Promise<void> {
  if (import.meta.env.PROD && 'serviceWorker' in navigator) await navigator.serviceWorker.register(WORKER);
}

const PATIENCE_MS = 15_000;

/** The registration, once the service worker is at work. It may never be: where one of its files cannot be loaded, the browser installs none. */
export async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  await registerServiceWorker();
  return Promise.race([
    navigator.serviceWorker.ready,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no service worker')), PATIENCE_MS)),
  ]);
}

/** Has this browser show no more pushes, and removes those that it has shown. What the server does is its own business. */
export async function endPushes(): Promise<void> {
  const registration = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
  if (!registration || !('PushManager' in window)) return;
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  for (const notification of await registration.getNotifications()) notification.close();
}

/** From now on the site is installed under its name in this language. */
export function nameManifest(language: keyof typeof MANIFESTS): void {
  document.querySelector('link[rel="manifest"]')?.setAttribute('href', MANIFESTS[language]);
}
