import type { Locator } from '@playwright/test';
import { heading } from './support/screen';
import { expect, test } from './support/test';
import { fingersOn, type Point } from './support/touch';

async function boxOf(target: Locator) {
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target.toString()} is not on the screen`);
  return box;
}

test('a swipe of more than 60 px to the right opens the admin’s menu, and nothing else does', { tag: '@soak' }, async ({
  signedIn,
}) => {
  const { page } = await signedIn('admin', { width: 360 });
  const finger = await fingersOn(page);
  const sheet = page.getByRole('dialog', { name: 'Admin' });

  const expectMenu = async (from: Point, by: Point) => {
    await finger.swipe(from, by);
    await expect(sheet).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
  };
  /** The menu would open at once, so two frames later is late enough. */
  const expectNoMenu = async (from: Point, by: Point) => {
    await finger.swipe(from, by);
    await page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))));
    await expect(sheet, JSON.stringify({ from, by })).toHaveCount(0);
  };
  await page.goto('/admin/users');
  await expect(heading(page, 'Users')).toBeVisible();
  const start = { x: 40, y: Math.round((await boxOf(heading(page, 'Users'))).y + 8) };
  await expectMenu(start, { x: 61, y: 0 });
  await expectNoMenu(start, { x: 59, y: 0 });
  await expectNoMenu(start, { x: 60, y: 0 });
  await expectNoMenu({ x: 300, y: start.y }, { x: -120, y: 0 });
  await expectNoMenu(start, { x: 70, y: 200 });
  const field = await boxOf(page.getByRole('searchbox', { name: 'Username or email' }));
  await expectNoMenu({ x: field.x + 20, y: field.y + 10 }, { x: 150, y: 0 });
  await expectMenu(start, { x: 150, y: 20 });
});
