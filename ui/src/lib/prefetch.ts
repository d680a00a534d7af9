/** Starts loads that nothing waits for: code needed soon, and queries whose parts show failures. */
export function prefetch(...loads: Promise<unknown>[]): void {
  // Queries keep their errors for the components; code is requested again on use.
  for (const load of loads) load.catch(() => undefined);
}
