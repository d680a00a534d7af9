import { useSyncExternalStore } from 'react';

/** A smaller part of the window is covered by the browser's own bars. */
const KEYBOARD = 0.25;

function subscribe(listener: () => void): () => void {
  window.visualViewport?.addEventListener('resize', listener);
  return () => window.visualViewport?.removeEventListener('resize', listener);
}

/** How many pixels at the bottom of the window the keyboard on the screen covers. Enlarging the page is no keyboard. */
export function coveredByKeyboard(): number {
  const view = window.visualViewport;
  const covered = view ? window.innerHeight - view.height * view.scale : 0;
  return covered > window.innerHeight * KEYBOARD ? covered : 0;
}

/** Whether the keyboard on the screen covers a part of the window. */
export function useKeyboardOpen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => coveredByKeyboard() > 0,
    () => false,
  );
}
