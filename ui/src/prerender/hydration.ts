let hydrated: () => void = () => undefined;
let hydration = Promise.resolve();
let first = true;

/** The hydration of a prerendered page begins: first its frame, in which the language can be chosen, then the page itself. */
export function beginHydration(): void {
  hydration = new Promise((resolve) => {
    hydrated = resolve;
  });
}

/** The first page itself is hydrated, or rendered in the place of the one that the server sent. */
export function completeHydration(): void {
  first = false;
  hydrated();
}

/** Resolves when the whole page is hydrated and may change: React compares it with the prerendered one while it hydrates a part. */
export function whenHydrated(): Promise<void> {
  return hydration;
}

/** Whether the document still is, or may be, the page that the server sent. */
export function isFirstPage(): boolean {
  return first;
}
