let hydrated: () => void = () => undefined;
let hydration = Promise.resolve();
let first = true;

/**
 * Called when hydration begins: first the frame, in which the language can be changed, then the
 * page.
 */
export function beginHydration(): void {
  hydration = new Promise((resolve) => {
    hydrated = resolve;
  });
}

/** Called when the first page is hydrated, or has replaced the server's. */
export function completeHydration(): void {
  first = false;
  hydrated();
}

/**
 * Resolves when the whole page is hydrated and may change: React compares each part with the
 * prerendered one.
 */
export function whenHydrated(): Promise<void> {
  return hydration;
}

/** Reports whether the document may still be the server's page. */
export function isFirstPage(): boolean {
  return first;
}
