let arrived: () => void = () => undefined;
let whole = Promise.resolve();

/** A page that was written ahead begins to come alive: first its frame, in which the language can be chosen, then the page itself. */
export function beginHydration(): void {
  whole = new Promise((resolve) => {
    arrived = resolve;
  });
}

/** The page itself is alive. */
export function completeHydration(): void {
  arrived();
}

/** Resolves when nothing on the page is as it was written ahead, so that it may change: React compares the two while a part comes alive. */
export function whenHydrated(): Promise<void> {
  return whole;
}
