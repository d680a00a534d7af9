import type { AnyRouter, ParsedLocation } from '@tanstack/react-router';

// What the application knows of the router beyond its documentation, each with a test in router-internals.test.tsx.

/**
 * The number of the location's entry in the history of the session. The router keeps it in `history.state.__TSR_index`; what it exports
 * (`useCanGoBack`) only tells whether it is 0.
 */
export function historyIndex({ state }: ParsedLocation): number {
  return state.__TSR_index;
}

/**
 * Tells the router that its first page is in the document already. With `router.ssr` it renders no Suspense at the root of the browser's tree, which
 * the prerendered page does not have. The router's own `hydrate` sets it, too, but it needs scripts in the page, which the page's policy forbids.
 */
export function markPrerendered(router: AnyRouter): void {
  router.ssr = { manifest: undefined };
}
