/**
 * For loaders of pages whose parts show their own progress and their own failures, and for code that will be wanted soon: the loads begin, and nothing
 * waits for them.
 */
export function prefetch(...loads: Promise<unknown>[]): void {
  // The queries keep their errors, and the components that use them show them; code is asked for again when it is used.
  for (const load of loads) load.catch(() => undefined);
}
