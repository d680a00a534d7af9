import { expect, type Locator, type Page } from '@playwright/test';

/** More stops than any page has. */
const MOST_STOPS = 80;

/** Reports whether the target has the focus, and its ring is visible. */
function focusOn(target: Locator): Promise<{ there: boolean; ring: boolean }> {
  return target.evaluateAll((elements) => {
    const activeElement = document.activeElement as HTMLElement | null;
    if (!activeElement || !elements.includes(activeElement)) return { there: false, ring: false };
    // A framed field and a hidden radio button have their ring on an ancestor.
    const around = [activeElement, activeElement.parentElement, activeElement.parentElement?.parentElement];
    const rings = around.some((element) => element && getComputedStyle(element).outlineStyle !== 'none');
    const box = (activeElement.closest('label') ?? activeElement).getBoundingClientRect();
    const inView = box.width > 0 && box.bottom > 0 && box.top < window.innerHeight;
    return { there: true, ring: rings && inView };
  });
}

/** Presses Tab until the target has the focus, which must be visible. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target.filter({ visible: true }).first()).toBeVisible();
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    const { there, ring } = await focusOn(target);
    if (there) {
      expect(ring, `the ring of ${target.toString()}`).toBe(true);
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not come to ${target.toString()}`);
}

/** Tabs to the target and presses Enter. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Tabs to the target and types. */
export async function fill(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

/** Some element has the focus. */
export const expectPlace = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body)).toBe(true);

/** The focus is at the start of the page, as after navigation. */
export const expectAtMain = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');

/** The text is in a live region that nothing hides. */
export const announced = (page: Page, text: string | RegExp): Promise<void> =>
  expect(
    page
      .locator(':is([aria-live="polite"], [role="status"], [role="alert"]):not([aria-hidden="true"] *)')
      .filter({ hasText: text })
      .first(),
  ).toBeAttached();
