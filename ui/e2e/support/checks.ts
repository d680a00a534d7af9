import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

type AxeWindow = typeof window & { axe?: typeof axe };

/**
 * The page's axe violations. It runs in the page itself, which has no frames: @axe-core/playwright
 * collects the results of frames in another page, which takes six times as long. A page that
 * changes meanwhile, in its elements or by a transition of colours alone, can be reported wrongly,
 * so a violation counts only if all of five runs find some.
 */
async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const run = (window as AxeWindow).axe?.run;
    if (!run || window.frames.length > 0) throw new Error('axe is not there, or does not see all of the page');
    let found = await run(document, { resultTypes: ['violations'] });
    for (let again = 0; found.violations.length > 0 && again < 4; again++) {
      await new Promise(requestAnimationFrame);
      found = await run(document, { resultTypes: ['violations'] });
    }
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, target }) => `${target.join(' ')} (${html})`).join(', ')}`,
    );
  });
}

/** The page has no axe violations and does not scroll sideways. */
export async function expectAccessible(page: Page, where = page.url()): Promise<void> {
  expect(await violations(page), where).toEqual([]);
  expect(await overflow(page), `${where}: pixels of sideways scroll`).toBe(0);
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The page is as wide as the window, and no control is cut off at a side. */
export async function expectFits(page: Page, where = page.url()): Promise<void> {
  expect(await overflow(page), `${where}: pixels of sideways scroll`).toBe(0);
  const cutOff = await page.evaluate(() => {
    /** The visible horizontal extent of an element; null if it can be scrolled into view. */
    const sight = (element: Element): [left: number, right: number] | null => {
      let [left, right] = [0, window.innerWidth];
      for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
        const { overflowX } = getComputedStyle(box);
        if (overflowX === 'auto' || overflowX === 'scroll') return null;
        if (overflowX === 'visible') continue;
        const edges = box.getBoundingClientRect();
        [left, right] = [Math.max(left, edges.left), Math.min(right, edges.right)];
      }
      return [left, right];
    };
    return (
      [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
        .filter((control) => !control.matches('a[href="#main"]') && control.checkVisibility({ opacityProperty: true }))
        // Smaller ones are for screen readers alone.
        .filter((control) => control.getBoundingClientRect().width > 1)
        .filter((control) => {
          const seen = sight(control);
          const { left, right } = control.getBoundingClientRect();
          return seen !== null && (left < seen[0] - 1 || right > seen[1] + 1);
        })
        .map((control) => control.outerHTML.slice(0, 100))
    );
  });
  expect(cutOff, where).toEqual([]);
}
