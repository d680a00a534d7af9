import { useSyncExternalStore } from 'react';

/** Smaller parts of the window are covered by the browser's own bars. */
const MIN_COVERED_SHARE = 0.25;

function subscribe(listener: () => void): () => void {
  window.visualViewport?.addEventListener('resize', listener);
  return () => window.visualViewport?.removeEventListener('resize', listener);
}

/** Pixels that the on-screen keyboard covers; zooming does not count. */
export function coveredByKeyboard(): number {
  const view = window.visualViewport;
  const covered = view ? window.innerHeight - view.height * view.scale : 0;
  return covered > window.innerHeight * MIN_COVERED_SHARE ? covered : 0;
}

export function useKeyboardOpen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => coveredByKeyboard() > 0,
    () => false,
  );
}
