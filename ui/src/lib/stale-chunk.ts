const STORAGE_KEY = 'reloaded-at';
const RELOAD_INTERVAL = 30_000;

const NAME = 'MissingChunk';

/**
 * After a deploy, an open tab requests chunks that are gone. Their errors are marked here: a page
 * that needs the chunk is reloaded, but preloading a link must not discard what is being typed.
 */
export function markStaleChunks(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.name = NAME;
    // The router would also reload by the message, and once per chunk.
    payload.message = `Gone: ${payload.message}`;
  });
}

export function isStaleChunk(error: unknown): boolean {
  return error instanceof Error && error.name === NAME;
}

/** Not offline, not just after one, and not without storage, where it could loop. */
export function mayReload(): boolean {
  try {
    return navigator.onLine && Date.now() - Number(sessionStorage.getItem(STORAGE_KEY)) >= RELOAD_INTERVAL;
  } catch {
    return false;
  }
}

export function reloadOnce(): void {
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  window.location.reload();
}
