import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launch } from './support/browser';
import { offerToBuyer } from './support/deals';
import { newcomer } from './support/people';
import { heading, says } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const MANY = 35;

describe('the bell', () => {
  it('has nothing for a new user, then many, page by page, until all are read', async () => {
    const me = await newcomer(browser, 'nusrat', { width: 360 });
    const other = await newcomer(browser, 'tanvir');
    const { page } = me;
    await page.goto('/dashboard');
    await heading(page, me.name).waitFor();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await page.getByRole('button', { name: 'Notifications', exact: true }).click();
    await says(panel, 'No notifications yet.');
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    for (let number = 1; number <= MANY; number += 1) await offerToBuyer(other, me, { price: number });
    await page.reload();
    const unread = page.getByRole('button', { name: 'Notifications, some unread' });
    await unread.waitFor();
    const dot = page.locator('button[aria-label^="Notifications"] .nav__dot');
    expect(await dot.count()).toBe(1);
    await unread.click();
    // The panel clears the dot; the bell has no name behind it.
    await panel.waitFor();
    expect(await dot.count()).toBe(0);
    const rows = panel.getByRole('listitem');
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(10);
    expect(await rows.count()).toBeLessThan(MANY);
    const list = panel.locator('.notices__list');
    const scroll = async () => {
      await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
      return rows.count();
    };
    await expect.poll(scroll).toBe(MANY);
    expect(await panel.getByText('Loading more notifications...').count()).toBe(0);
    expect(new Set(await rows.allTextContents()).size).toBe(MANY);
    await expectAccessible(page);

    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await panel.getByText('Unread.').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await page.reload();
    await heading(page, me.name).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await unread.count()).toBe(0);
  });
});
