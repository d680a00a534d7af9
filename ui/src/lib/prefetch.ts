/**
 * Starts loads that nothing waits for: queries of a page's parts, which show progress and failure
 * themselves, and code that is needed soon.
 */
export function prefetch(...loads: Promise<unknown>[]): void {
  // Queries keep their errors for the components; code is requested again on use.
  for (const load of loads) load.catch(() => undefined);
}
