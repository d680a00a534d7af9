const STORAGE_KEY = 'reloaded-at';
const ONCE_PER = 30_000;

const NAME = 'MissingChunk';

/**
 * After a deploy an open tab asks for chunks that are gone. Those failures are marked here and stay failures: a page that cannot be shown without
 * its chunk is loaded anew, but a link that the pointer only rests on must not take away what is being typed.
 */
export function markStaleChunks(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.name = NAME;
    // By its words the router would reload, too, and once for each chunk.
    payload.message = `Gone: ${payload.message}`;
  });
}

/** Whether it failed because a chunk of this page's version is no longer there. */
export function isStaleChunk(error: unknown): boolean {
  return error instanceof Error && error.name === NAME;
}

/**
 * Whether a reload may help: not without a network, not where one has just been tried, and not where that could not be noticed, or it would go on for
 * ever.
 */
export function mayReload(): boolean {
  try {
    return navigator.onLine && Date.now() - Number(sessionStorage.getItem(STORAGE_KEY)) >= ONCE_PER;
  } catch {
    return false;
  }
}

/** Loads the page anew, in the version that is served now. */
export function reloadOnce(): void {
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  window.location.reload();
}
