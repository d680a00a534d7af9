import { useSyncExternalStore } from 'react';

/** From this width on the drawer stands beside the queue; as in admin.css. */
export const DRAWER_BESIDE = 900;
/** From this width on the sidebar is always there; as in admin.css. */
export const SIDEBAR_FIXED = 1200;

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

/** Whether the window is at least so many pixels wide. */
export function useWidth(from: number): boolean {
  return useSyncExternalStore(subscribe, () => window.innerWidth >= from);
}
