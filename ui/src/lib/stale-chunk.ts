const STORAGE_KEY = 'reloaded-at';
const ONCE_PER = 30_000;

/** After a deploy an open tab asks for chunks that are gone: the page is reloaded, but never in a loop. */
export function reloadOnStaleChunk(): void {
  window.addEventListener('vite:preloadError', (event) => {
    let last: number;
    try {
      last = Number(sessionStorage.getItem(STORAGE_KEY));
      sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
    } catch {
      // Without storage a loop could not be noticed, so the error page is shown instead.
      return;
    }
    if (Date.now() - last < ONCE_PER) return;
    event.preventDefault();
    window.location.reload();
  });
}
