let hydrated: () => void = () => undefined;
let hydration = Promise.resolve();

/** The hydration of a prerendered page begins: first its frame, in which the language can be chosen, then the page itself. */
export function beginHydration(): void {
  hydration = new Promise((resolve) => {
    hydrated = resolve;
  });
}

/** The page itself is hydrated. */
export function completeHydration(): void {
  hydrated();
}

/** Resolves when the whole page is hydrated and may change: React compares it with the prerendered one while it hydrates a part. */
export function whenHydrated(): Promise<void> {
  return hydration;
}
