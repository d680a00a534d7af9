import { useSyncExternalStore } from 'react';

/** The browser's install prompt, which can be used once. */
type InstallOffer = Event & { prompt: () => Promise<unknown> };

declare global {
  interface Window {
    /** public/theme.js stores it here until it is used. */
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

/** Reports whether the page runs as an installed app; Safari on iOS has its own property. */
export const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true;

export function useInstall(): (() => void) | null {
  const offer = useSyncExternalStore(subscribe, () => window.installOffer);
  if (!offer) return null;
  return () => {
    window.installOffer = undefined;
    window.dispatchEvent(new Event(TAKEN));
    // The browser makes another offer later.
    offer.prompt().catch(() => undefined);
  };
}
