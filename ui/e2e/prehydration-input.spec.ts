import type { Page } from '@playwright/test';
import { DEMO_PASSWORD } from './support/people';
import { postTitles } from './support/screen';
import { expect, test } from './support/test';

// On a slow phone, a prerendered page can be read and typed into seconds before its scripts arrive.

/** Opens a page whose scripts wait for `arrive`. */
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

test('a page that is not hydrated yet keeps what is typed, until it can be used', async ({ visit }) => {
  const { page, context } = await visit({ width: 360 });

  await test.step('What was typed into the search is looked for', async () => {
    const arrive = await slow(page, '/explore');
    await page.getByRole('searchbox').fill('channel');
    arrive();
    await page.waitForURL('**/explore?*search=channel*');
    await expect(page.getByRole('searchbox')).toHaveValue('channel');
  });

  await test.step('A page that was written without a search shows what its address asks for', async () => {
    await page.goto('/explore?category=Freelance%20Service&search=logo');
    await expect(page.getByRole('link', { name: 'Freelance Service', exact: true })).toHaveAttribute('aria-current', 'page');
    await expect(postTitles(page).first()).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveValue('logo');
  });

  await test.step('A password stays out of the address, and is sent when it can be', async () => {
    const arrive = await slow(page, '/login');
    await page.getByLabel('Username').fill('buyer');
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByLabel('Password', { exact: true }).press('Enter');
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeDisabled();
    arrive();
    await page.getByRole('button', { name: 'Login', exact: true, disabled: false }).click();
    await page.waitForURL('**/dashboard');
  });

  await test.step('So does what was typed where the reader has chosen another language than the server knows', async () => {
    // The choice is in the storage; the cookie for the server is gone.
    await page.evaluate(() => localStorage.setItem('language', 'bn'));
    await page.goto('about:blank'); // the dashboard may still be loading
    await context.clearCookies();
    const arrive = await slow(page, '/login');
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByLabel('Username').fill('buyer');
    arrive();
    await expect(page.getByRole('heading', { level: 1, name: 'লগ ইন' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'ইউজারনেম' })).toBeFocused();
    await expect(page.getByRole('textbox', { name: 'ইউজারনেম' })).toHaveValue('buyer');
    await page.getByRole('main').getByRole('button', { name: 'লগ ইন', exact: true }).click();
    await page.waitForURL('**/dashboard');
  });
});
