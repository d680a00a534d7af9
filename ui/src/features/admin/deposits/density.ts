import { createStore, useSelector } from '@tanstack/react-store';
import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'admin-density';
const COMFORTABLE = 'comfortable';
/** Rows of one line need a wide window, and a pointer that hits them. */
const ROOM = '(min-width: 900px) and (pointer: fine)';
const ROWS = { compact: 25, comfortable: 10 };

function stored(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== COMFORTABLE;
  } catch {
    return true;
  }
}

const wanted = createStore(stored());

/** Compact rows or not, for this device. */
export function setCompact(on: boolean): void {
  try {
    if (on) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, COMFORTABLE);
  } catch {
    // The choice then lasts until the page is left.
  }
  wanted.setState(() => on);
}

/** For tests: the setting is again what the device stores. */
export function resetDensity(): void {
  wanted.setState(stored);
}

const hasRoom = () => window.matchMedia(ROOM).matches;

function subscribe(listener: () => void): () => void {
  const list = window.matchMedia(ROOM);
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
}

/** How many rows a page of the queue has: more where they are compact. */
export const rowsOf = (compact: boolean): number => (compact ? ROWS.compact : ROWS.comfortable);

/** The same where no component asks. */
export const rowsNow = (): number => rowsOf(wanted.state && hasRoom());

/** Whether the rows are compact: wanted, and there is room for it. */
export function useDensity(): { wanted: boolean; compact: boolean } {
  const on = useSelector(wanted);
  const room = useSyncExternalStore(subscribe, hasRoom);
  return { wanted: on, compact: on && room };
}
