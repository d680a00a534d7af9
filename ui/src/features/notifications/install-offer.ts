import { useSyncExternalStore } from 'react';

/** The browser's offer to install the site. It can be taken up once. */
type InstallOffer = Event & { prompt: () => Promise<unknown> };

declare global {
  interface Window {
    /** Kept by public/theme.js, until it is taken up. */
    installOffer?: InstallOffer | undefined;
  }
}

const TAKEN = 'install-offer-taken';
const CHANGES = ['beforeinstallprompt', 'appinstalled', TAKEN];

function subscribe(listener: () => void): () => void {
  for (const type of CHANGES) window.addEventListener(type, listener);
  return () => {
    for (const type of CHANGES) window.removeEventListener(type, listener);
  };
}

/** Whether the page is open as an app. Safari on iOS says so in its own way. */
export const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true;

/** Takes up the browser's offer, which asks its user; null if there is none. */
export function useInstall(): (() => void) | null {
  const offer = useSyncExternalStore(subscribe, () => window.installOffer);
  if (!offer) return null;
  return () => {
    window.installOffer = undefined;
    window.dispatchEvent(new Event(TAKEN));
    // Declined or not: the browser makes another offer in its own time.
    offer.prompt().catch(() => undefined);
  };
}
