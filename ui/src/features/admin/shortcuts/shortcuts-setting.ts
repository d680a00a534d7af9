import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'admin-keys';
const OFF = 'off';

const listeners = new Set<() => void>();
// Where nothing can be stored, the choice lasts until the page is left.
let chosen: boolean | null = null;

function current(): boolean {
  if (chosen !== null) return chosen;
  try {
    return localStorage.getItem(STORAGE_KEY) !== OFF;
  } catch {
    return true;
  }
}

/** Switches the single-letter keys of the admin area on or off, for this device (WCAG 2.1.4). */
export function setShortcutsOn(on: boolean): void {
  chosen = null;
  try {
    if (on) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, OFF);
  } catch {
    chosen = on;
  }
  for (const listener of listeners) listener();
}

export function useShortcutsOn(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current,
    () => true,
  );
}
