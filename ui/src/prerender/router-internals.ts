import type { AnyRouter, ParsedLocation } from '@tanstack/react-router';

// What the application relies on beyond the router's documentation. router-internals.test.tsx has a
// test for each.

/**
 * The index of the location's history entry, from `history.state.__TSR_index`. The router's
 * `useCanGoBack` only tells whether it is 0.
 */
export function historyIndex({ state }: ParsedLocation): number {
  return state.__TSR_index;
}

/**
 * Tells the router that its first page is in the document. With `router.ssr`, the browser's tree
 * has no Suspense at its root, like the prerendered page. The router's own `hydrate` sets it, too,
 * but needs inline scripts, which the CSP forbids.
 */
export function markPrerendered(router: AnyRouter): void {
  router.ssr = { manifest: undefined };
}
