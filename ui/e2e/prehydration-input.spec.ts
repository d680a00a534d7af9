import type { Page } from '@playwright/test';
import { DEMO_PASSWORD } from './support/people';
import { expect, test } from './support/test';

// On a slow phone a page that was prerendered can be read and typed into seconds before its scripts are there.

/** Opens a page whose scripts do not come before `arrive` is called. */
async function slow(page: Page, path: string): Promise<() => void> {
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return arrive;
}

test.describe('a page that is not hydrated yet', () => {
  test('keeps a password out of the address, and all that was typed until it can be sent', async ({ visit }) => {
    const { page } = await visit({ width: 360 });
    const arrive = await slow(page, '/login');
    await page.getByLabel('Username').fill('buyer');
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByLabel('Password', { exact: true }).press('Enter');
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeDisabled();
    arrive();
    await page.getByRole('button', { name: 'Login', exact: true, disabled: false }).click();
    await page.waitForURL('**/dashboard');
  });

  test('keeps what was typed when the reader has chosen another language than the server knows', async ({ visit }) => {
    // The choice is in the storage; the cookie that tells the server is gone.
    const { page } = await visit({ width: 360, language: 'bn' });
    const arrive = await slow(page, '/login');
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByLabel('Username').fill('buyer');
    arrive();
    await expect(page.getByRole('heading', { level: 1, name: 'লগ ইন' })).toBeVisible();
    await expect(page.locator('input[name=username]')).toBeFocused();
    await expect(page.locator('input[name=username]')).toHaveValue('buyer');
    await page.locator('main form [type=submit]').click();
    await page.waitForURL('**/dashboard');
  });

  test('looks for what was typed once it is hydrated', async ({ visit }) => {
    const { page } = await visit({ width: 360 });
    const arrive = await slow(page, '/explore');
    await page.getByRole('searchbox').fill('channel');
    arrive();
    await page.waitForURL('**/explore?*search=channel*');
    await expect(page.getByRole('searchbox')).toHaveValue('channel');
  });

  test('shows what the address asks for, though it was written without a search', async ({ page }) => {
    await page.goto('/explore?category=Freelance%20Service&search=logo');
    await expect(page.locator('[aria-current="page"]', { hasText: 'Freelance Service' })).toBeVisible();
    await expect(page.locator('[data-slot="post-title"]').first()).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveValue('logo');
  });
});
