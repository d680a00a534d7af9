import { beforeEach, describe, expect, it, vi } from 'vitest';
import { errorAdvice } from './errors';
import { isStaleChunk, markStaleChunks, mayReload } from './stale-chunk';

markStaleChunks();

/** Dispatches Vite's event for a chunk that fails to load. */
function chunkFails(error: Error): Event {
  const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: error });
  window.dispatchEvent(event);
  return event;
}

beforeEach(() => sessionStorage.clear());

describe('a chunk that is gone', () => {
  it('stays a failure, which says what to do', () => {
    const error = new TypeError('Failed to fetch dynamically imported module: /assets/deal-abc.js');
    expect(isStaleChunk(error)).toBe(false);
    expect(chunkFails(error).defaultPrevented).toBe(false);
    expect(isStaleChunk(error)).toBe(true);
    // The router reloads for messages that begin with "Failed to fetch dynamically".
    expect(error.message).toBe('Gone: Failed to fetch dynamically imported module: /assets/deal-abc.js');
    expect(errorAdvice(error)).toBe('Check your connection and try again, or reload the page.');
  });

  it('is not reloaded for where there is no network', () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect(mayReload()).toBe(false);
  });

  it('is worth one reload, and another one only much later', () => {
    expect(mayReload()).toBe(true);
    sessionStorage.setItem('reloaded-at', String(Date.now() - 29_000));
    expect(mayReload()).toBe(false);
    sessionStorage.setItem('reloaded-at', String(Date.now() - 31_000));
    expect(mayReload()).toBe(true);
  });
});
