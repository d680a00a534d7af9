import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, signIn, visit } from './support/browser';
import { provoke } from './support/faults';
import { heading, toast } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

// What a browser says of a file that is gone, and React of the page that needed it.
const GONE = [/status of 404/, /MissingChunk/];

/**
 * A tab at /dashboard while a new version is deployed: what it has not loaded yet is gone, until `mend` serves what it asks for. Counts how
 * often a page is asked for from then on.
 */
async function outdatedTab() {
  const { context, page } = await visit(browser);
  await signIn(context, 'buyer');
  const known = new Set<string>();
  page.on('requestfinished', (request) => known.add(request.url()));
  await page.goto('/dashboard');
  await heading(page, 'buyer').waitFor();
  await page.waitForLoadState('networkidle');
  let gone = true;
  provoke(context, ...GONE);
  await page.route('**/assets/**', (route) =>
    gone && !known.has(route.request().url()) ? route.fulfill({ status: 404, body: 'not found' }) : route.continue(),
  );
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return {
    context,
    page,
    loads: () => loads,
    mend: () => {
      gone = false;
    },
  };
}

// A chunk's file is named after its page by as many characters as vite.config.ts leaves of it (CHUNK_NAME).
const chunk = (path: string) => `/assets/${path.slice(1, 9)}-`;

/** A link of the dashboard; the page behind one of them loads data first, the other one none. */
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).filter({ visible: true }).first();
const PAGES = [
  ['Deposit', '/deposit'],
  ['Contact us', '/contactus'],
] as const;

describe('a tab that is older than the deploy', () => {
  it.each(PAGES)('is loaded anew once, and shows the page that was asked for: %s', async (name, path) => {
    const { context, page, loads, mend } = await outdatedTab();
    // The new version is there for whoever loads the page.
    page.on('request', (request) => (request.isNavigationRequest() ? mend() : undefined));
    await link(page, name).click();
    await heading(page, name).waitFor();
    await page.waitForLoadState('networkidle');
    expect([loads(), new URL(page.url()).pathname]).toEqual([1, path]);
    await context.close();
  });

  it.each(PAGES)('is not loaded for ever when that does not help, but says so: %s', async (name, path) => {
    const { context, page, loads, mend } = await outdatedTab();
    await link(page, name).click();
    await heading(page, 'This page could not be loaded.').waitFor();
    await page.waitForLoadState('networkidle');
    expect([loads(), new URL(page.url()).pathname]).toEqual([1, path]);
    mend();
    await page.getByRole('button', { name: 'Retry' }).click();
    await heading(page, name).waitFor();
    await context.close();
  });

  it('keeps what is being typed while the pointer only passes over links', async () => {
    const { context, page, loads } = await outdatedTab();
    await page.getByRole('button', { name: 'Custom' }).click();
    await page.getByLabel('First day').fill('2020-01-01');
    // A reload because of the first would come before the second is asked for.
    for (const [name, path] of PAGES) {
      const asked = page.waitForResponse((answer) => answer.status() === 404 && answer.url().includes(chunk(path)));
      await link(page, name).hover();
      await asked;
    }
    expect([loads(), await page.getByLabel('First day').inputValue()]).toEqual([0, '2020-01-01']);
    await context.close();
  });

  it('opens a dialog whose code is gone after one reload', async () => {
    const { context, page, loads, mend } = await outdatedTab();
    page.on('request', (request) => (request.isNavigationRequest() ? mend() : undefined));
    const again = page.waitForEvent('load');
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await again;
    await heading(page, 'buyer').waitFor();
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByRole('dialog', { name: 'Notifications' }).waitFor();
    expect(loads()).toBe(1);
    await context.close();
  });

  it('says that the other language cannot be had', async () => {
    const { context, page, loads } = await outdatedTab();
    await page.getByRole('button', { name: 'Profile menu' }).click();
    await page.getByRole('menuitem', { name: 'বাংলা' }).click();
    await toast(page, 'Something went wrong').waitFor();
    expect(loads()).toBe(0);
    await context.close();
  });
});
