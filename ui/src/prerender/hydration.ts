let hydrated: () => void = () => undefined;
let hydration = Promise.resolve();
let first = true;

/** Called when hydration begins: first the frame with the language switch, then the page. */
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

/** Resolves when the page may change: React compares it with the prerendered one before. */
export function whenHydrated(): Promise<void> {
  return hydration;
}

export function isFirstPage(): boolean {
  return first;
}
