/** For loaders of pages whose parts show their own progress and their own failures: the loads begin, and nothing waits for them. */
export function inBackground(...loads: Promise<unknown>[]): void {
  // The queries keep their errors, and the components that use them show them.
  for (const load of loads) load.catch(() => undefined);
}
