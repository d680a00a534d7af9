import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_PASSWORD, launch, visit } from './support/browser';

// On a slow phone a page that was written ahead can be read and typed into seconds before its scripts are there.

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Opens a page whose scripts do not come before `arrive` is called. */
async function slow(context: BrowserContext, page: Page, path: string): Promise<() => void> {
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await context.route('**/assets/*.js', async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return arrive;
}

describe('a page that is not alive yet', () => {
  it('keeps a password out of the address, and all that was typed until it can be sent', async () => {
    const { context, page } = await visit(browser, { width: 360 });
    const arrive = await slow(context, page, '/login');
    await page.getByLabel('Username').fill('buyer');
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByLabel('Password', { exact: true }).press('Enter');
    expect(await page.getByRole('button', { name: 'Login', exact: true }).isDisabled()).toBe(true);
    arrive();
    await page.getByRole('button', { name: 'Login', exact: true, disabled: false }).click();
    await page.waitForURL('**/dashboard');
    await context.close();
  });

  it('looks for what was typed once it is alive', async () => {
    const { context, page } = await visit(browser, { width: 360 });
    const arrive = await slow(context, page, '/explore');
    await page.getByRole('searchbox').fill('channel');
    arrive();
    await page.waitForURL('**/explore?*search=channel*');
    expect(await page.getByRole('searchbox').inputValue()).toBe('channel');
    await context.close();
  });

  it('shows what the address asks for, though it was written without a search', async () => {
    const { context, page } = await visit(browser);
    await page.goto('/explore?category=Freelance%20Service&search=logo');
    await page.locator('[aria-current="page"]', { hasText: 'Freelance Service' }).waitFor();
    await page.locator('.post a').first().waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('logo');
    await context.close();
  });
});
