import { expectAccessible } from './support/checks';
import { offerToBuyer } from './support/deals';
import { quiet } from './support/network';
import { heading, says, stored } from './support/screen';
import { expect, test } from './support/test';

const MANY = 35;

test.describe('the bell', { tag: '@soak' }, () => {
  test('has nothing for a new user, then many, page by page, until all are read', async ({ newcomer }) => {
    const me = await newcomer('nusrat', { width: 360 });
    const other = await newcomer('tanvir');
    const { page } = me;
    await page.goto('/dashboard');
    await expect(heading(page, me.name)).toBeVisible();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await page.getByRole('button', { name: 'Notifications', exact: true }).click();
    await says(panel, 'No notifications yet.');
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    for (let number = 1; number <= MANY; number += 1) await offerToBuyer(other, me, { price: number });
    await page.reload();
    const unread = page.getByRole('button', { name: 'Notifications, some unread' });
    await expect(unread).toBeVisible();
    const dot = page.getByRole('button', { name: /^Notifications/ }).locator('[data-slot="dot"]');
    await expect(dot).toHaveCount(1);
    await unread.click();
    // The panel clears the dot. The open panel hides the bell's name.
    await expect(panel).toBeVisible();
    await expect(dot).toHaveCount(0);
    const rows = panel.getByRole('listitem');
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(10);
    expect(await rows.count()).toBeLessThan(MANY);
    const scroll = async () => {
      await rows.last().scrollIntoViewIfNeeded();
      return rows.count();
    };
    await expect.poll(scroll).toBe(MANY);
    await expect(panel.getByText('Loading more notifications...')).toHaveCount(0);
    expect(new Set(await rows.allTextContents()).size).toBe(MANY);
    await expectAccessible(page);

    await stored(page, /\/mark-all-as-read$/, () => panel.getByRole('button', { name: 'Mark all as read' }).click());
    await expect(panel.getByText('Unread.').first()).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
    // Going back over the panel's history entry would abort the reload.
    await expect.poll(() => page.evaluate(() => (history.state as { overlays?: number }).overlays ?? 0)).toBe(0);
    await page.reload();
    await expect(heading(page, me.name)).toBeVisible();
    await quiet(page);
    await expect(unread).toHaveCount(0);
  });
});
