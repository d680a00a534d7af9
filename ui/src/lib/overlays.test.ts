import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { overlayOpened, overlaysClosed } from './overlays';

const entries = (): number => (window.history.state as { overlays?: number } | null)?.overlays ?? 0;

/**
 * The number of history steps. Registered first, because Back for an overlay is hidden from later
 * listeners.
 */
let steps = 0;
window.addEventListener('popstate', () => (steps += 1), { capture: true });

/** The router's idea of the location. */
const router = { location: { href: '', state: {} as object } };

const opened = (close: () => void) => overlayOpened(close, router);

function open() {
  const close = vi.fn<() => void>(() => taken());
  const taken = opened(close);
  return close;
}

describe('Back on a phone', () => {
  beforeEach(async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    router.location = { href: window.location.pathname, state: {} };
    await waitFor(() => expect(entries()).toBe(0));
  });

  it('closes the uppermost overlay, then the one below', async () => {
    const lower = open();
    const upper = open();
    await waitFor(() => expect(entries()).toBe(2));
    window.history.back();
    await waitFor(() => expect(upper).toHaveBeenCalledOnce());
    expect(lower).not.toHaveBeenCalled();
    window.history.back();
    await waitFor(() => expect(lower).toHaveBeenCalledOnce());
    expect(entries()).toBe(0);
  });

  it('leaves no entry of an overlay that was closed otherwise', async () => {
    const taken = opened(() => undefined);
    await waitFor(() => expect(entries()).toBe(1));
    taken();
    await waitFor(() => expect(entries()).toBe(0));
  });

  it('tells who replaces the page’s entry when it is the current one', async () => {
    await overlaysClosed();
    const taken = opened(() => undefined);
    await waitFor(() => expect(entries()).toBe(1));
    const left: number[] = [];
    const closed = overlaysClosed().then(() => left.push(entries()));
    expect(left).toEqual([]);
    taken();
    await closed;
    expect(left).toEqual([0]);
  });

  it('does not close what opens while the entry of another is taken away', async () => {
    const taken = opened(() => undefined);
    await waitFor(() => expect(entries()).toBe(1));
    let close = vi.fn<() => void>();
    vi.spyOn(window.history, 'go').mockImplementationOnce((by) => {
      close = open();
      History.prototype.go.call(window.history, by);
    });
    const before = steps;
    taken();
    await waitFor(() => expect(steps).toBe(before + 1));
    await waitFor(() => expect(entries()).toBe(1));
    expect(close).not.toHaveBeenCalled();
    window.history.back();
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
  });

  it('leads to a page that was opened while the entry of an overlay was taken away', async () => {
    const taken = opened(() => undefined);
    await waitFor(() => expect(entries()).toBe(1));
    vi.spyOn(window.history, 'go').mockImplementationOnce((by) => {
      // Browsers go back from the entry that was current when they were asked to.
      History.prototype.go.call(window.history, by);
      router.location = { href: '/deal/d-1', state: { key: 'new' } };
    });
    taken();
    await waitFor(() => expect(window.location.pathname).toBe('/deal/d-1'));
    expect(window.history.state).toEqual({ key: 'new' });
    window.history.replaceState(null, '', '/');
  });

  it('leaves the page in a window that is no phone’s', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    const before = window.history.length;
    open();
    expect([entries(), window.history.length]).toEqual([0, before]);
  });
});
