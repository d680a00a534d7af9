import type { Locator, Page } from '@playwright/test';
import { conversation, write } from './support/chat';
import { expectAccessible } from './support/checks';
import { heading, toast, whole } from './support/screen';
import { expect, test } from './support/test';

test.use({ look: { width: 360, height: 740 } });

const bar = (page: Page) => page.getByRole('navigation', { name: 'Places' });

/** The number of history entries of overlays. */
const overlays = (page: Page) => page.evaluate(() => (history.state as { overlays?: number }).overlays ?? 0);

/** Visits the links of the bar, ending at home. */
async function throughPlaces(page: Page): Promise<void> {
  await bar(page).getByRole('link', { name: 'Market' }).click();
  await expect(heading(page, 'Marketplace')).toBeVisible();
  await expect(bar(page).getByRole('link', { name: 'Market' })).toHaveAttribute('aria-current', 'page');
  await bar(page).getByRole('link', { name: 'Deals' }).click();
  await expect(page).toHaveURL('/deal');
  await bar(page).getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('status', { name: 'Your balance' })).toHaveText('$0.00');
  await whole(page);
}

/** Closes a dialog by Back and by its button, and goes back after a menu's link. */
async function closeByBack(page: Page): Promise<void> {
  await bar(page).getByRole('link', { name: 'Deals' }).click();
  const create = page.getByRole('button', { name: 'Create Deal' }).first();
  const dialog = page.getByRole('dialog', { name: 'Create Deal' });
  await create.click();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/deal');

  // Its own button leaves no history entry behind.
  await create.click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => overlays(page)).toBe(0);

  // A menu's link navigates, and Back leads to the menu's page.
  await bar(page).getByRole('button', { name: 'Me: profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Settings', exact: true }).click();
  await expect(page).toHaveURL('/profile');
  await page.goBack();
  await expect(page).toHaveURL('/deal');
  await expect(create).toBeVisible();
  await expect.poll(() => overlays(page)).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL('/dashboard');
}

test('members reach everything from the bar at the bottom of a phone, and Back closes what lies over the page', async ({
  newcomer,
}) => {
  const tanvir = await newcomer('tanvir');
  const nusrat = await newcomer('nusrat');
  const id = await conversation(nusrat, tanvir);
  await write(nusrat, id, 'Is it still for sale?');
  const { page } = tanvir;
  await page.goto('/dashboard');
  await whole(page);
  await expect(bar(page).getByRole('link', { name: 'Chat, unread messages' })).toBeVisible();
  await expectAccessible(page);

  await test.step('The bar leads to the places', () => throughPlaces(page));

  await test.step('Back closes dialogs and menus', () => closeByBack(page));

  await test.step('The menu has the rest, in view, and goes with Back', async () => {
    await bar(page).getByRole('button', { name: 'Me: profile menu' }).click();
    const menu = page.getByRole('menu');
    for (const name of ['Settings', 'Posts', 'Refer a friend', 'Help', 'বাংলা', 'Dark', 'Logout'])
      await expect(menu.getByRole('menuitem', { name, exact: true })).toBeInViewport();
    await expectAccessible(page);
    await page.goBack();
    await expect(menu).toHaveCount(0);
    await expect(page).toHaveURL('/dashboard');
  });

  await test.step('A conversation has the place of the bar', async () => {
    await bar(page).getByRole('link', { name: /^Chat/ }).click();
    await page
      .getByRole('link', { name: /nusrat/ })
      .first()
      .click();
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await expect(bar(page)).toBeHidden();
  });
});

/** The toast covers nothing that is fixed at the bottom. */
async function expectAbove(page: Page, text: string, what: Locator): Promise<void> {
  await expect(toast(page, text)).toBeVisible();
  const [said, below] = [await toast(page, text).boundingBox(), await what.boundingBox()];
  expect((said?.y ?? 0) + (said?.height ?? 0), text).toBeLessThanOrEqual(below?.y ?? 0);
  expect(said?.y ?? 0, text).toBeGreaterThan(370);
}

test('toasts stand above the bar, or a bar that a page has of its own', { tag: '@soak' }, async ({ newcomer }) => {
  const tanvir = await newcomer('tanvir');
  const nusrat = await newcomer('nusrat');
  const { page } = tanvir;
  await page.goto('/explore?search=ThinkPad');
  // The link opens another tab.
  await page.goto((await page.getByRole('link', { name: /ThinkPad/ }).getAttribute('href')) ?? '');
  await whole(page);
  await expect(bar(page)).toBeHidden();
  const contact = page.locator('[data-bottom-bar]');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: /Copy link/ }).click();
  await expectAbove(page, 'Copied', contact);

  await page.goto(`/inbox/${await conversation(nusrat, tanvir)}`);
  const text = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') };
  await page.locator('input[type="file"]').setInputFiles(text);
  await expectAbove(page, 'Please select an image file!', page.locator('form[data-bottom-bar]'));

  await page.goto('/profile');
  await bar(page).getByRole('button', { name: 'Me: profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(toast(page, 'Logout successfully!')).toBeVisible();
});
