import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { coveredByKeyboard, useKeyboardOpen } from './use-browser';

const WINDOW = 800;

/** A visual viewport of this height, as phones have; Safari does not resize the window itself. */
function view(height: number, scale = 1) {
  const viewport = Object.assign(new EventTarget(), { height, scale });
  vi.stubGlobal('visualViewport', viewport);
  return viewport;
}

beforeEach(() => vi.stubGlobal('innerHeight', WINDOW));
afterEach(() => vi.unstubAllGlobals());

describe('the on-screen keyboard', () => {
  it.each([
    ['covers what the window does not show', 460, 1, 340],
    ['is not the bars of the browser', 700, 1, 0],
    ['is not a page that is zoomed in', 400, 2, 0],
    ['covers no more of a page that is zoomed in', 230, 2, 340],
  ])('%s', (_what, height, scale, covered) => {
    view(height, scale);
    expect(coveredByKeyboard()).toBe(covered);
  });

  it('covers nothing in a browser that cannot tell', () => {
    vi.stubGlobal('visualViewport', null);
    expect(coveredByKeyboard()).toBe(0);
    expect(renderHook(useKeyboardOpen).result.current).toBe(false);
  });

  it('is noticed when it opens and closes', () => {
    const viewport = view(WINDOW);
    const { result } = renderHook(useKeyboardOpen);
    const resize = (height: number) =>
      act(() => {
        viewport.height = height;
        viewport.dispatchEvent(new Event('resize'));
      });
    expect(result.current).toBe(false);
    resize(460);
    expect(result.current).toBe(true);
    resize(WINDOW);
    expect(result.current).toBe(false);
  });
});
