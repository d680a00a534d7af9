import { createStore, useSelector } from '@tanstack/react-store';

const STORAGE_KEY = 'admin-keys';
const OFF = 'off';

function stored(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== OFF;
  } catch {
    return true;
  }
}

const enabled = createStore(stored());

/** Turns the single-letter keys on or off for this device (WCAG 2.1.4). */
export function setShortcutsOn(on: boolean): void {
  try {
    if (on) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, OFF);
  } catch {
    // Without storage, the choice lasts until the page is left.
  }
  enabled.setState(() => on);
}

/** For tests. */
export function resetShortcuts(): void {
  enabled.setState(stored);
}

export function useShortcutsOn(): boolean {
  return useSelector(enabled);
}
