import { onlineManager } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

export function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
    () => true,
  );
}

/** Reports whether the window is at least `from` pixels wide; true when prerendered. */
export function useMinWidth(from: number): boolean {
  const query = `(min-width: ${from}px)`;
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => true,
  );
}

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
