import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch } from './support/browser';
import { admin, type Person } from './support/people';
import { heading } from './support/screen';

let browser: Browser;
let boss: Person;
let finger: CDPSession;
beforeAll(async () => {
  browser = await launch();
  boss = await admin(browser, { width: 360 });
  finger = await boss.context.newCDPSession(boss.page);
  await finger.send('Emulation.setTouchEmulationEnabled', { enabled: true });
});
afterAll(() => browser.close());

type Point = { x: number; y: number };

/** Moves a finger over the screen, in steps, as the browser has it from a phone. */
async function swipe(from: Point, { x, y }: Point): Promise<void> {
  const STEPS = 6;
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
  for (let step = 1; step <= STEPS; step += 1) {
    const point = { x: from.x + (x * step) / STEPS, y: from.y + (y * step) / STEPS };
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] });
  }
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Admin' });

/** The menu comes when somebody swipes so, and goes with Escape. */
async function expectMenu(from: Point, by: Point): Promise<void> {
  const { page } = boss;
  await swipe(from, by);
  await sheet(page).waitFor();
  await page.keyboard.press('Escape');
  await sheet(page).waitFor({ state: 'detached' });
}

/** It does not: it would come at once, and a frame later is late enough. */
async function expectNoMenu(from: Point, by: Point): Promise<void> {
  const { page } = boss;
  await swipe(from, by);
  await page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))));
  expect(await sheet(page).count(), JSON.stringify({ from, by })).toBe(0);
}

describe('a finger on the admin’s phone', () => {
  it('opens the menu with more than 60 px to the right, and with nothing else', async () => {
    const { page } = boss;
    await page.goto('/admin/users');
    await heading(page, 'Users').waitFor();
    const title = await heading(page, 'Users').boundingBox();
    const start = { x: 40, y: Math.round((title?.y ?? 0) + 8) };
    await expectMenu(start, { x: 61, y: 0 });
    await expectNoMenu(start, { x: 59, y: 0 });
    await expectNoMenu(start, { x: 60, y: 0 });
    await expectNoMenu({ x: 300, y: start.y }, { x: -120, y: 0 });
    await expectNoMenu(start, { x: 70, y: 200 });
    const field = await page.getByRole('searchbox', { name: 'Username or email' }).boundingBox();
    expect(field).not.toBeNull();
    await expectNoMenu({ x: (field?.x ?? 0) + 20, y: (field?.y ?? 0) + 10 }, { x: 150, y: 0 });
    await expectMenu(start, { x: 150, y: 20 });
  });
});
