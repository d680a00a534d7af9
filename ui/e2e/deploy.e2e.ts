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

// What a browser says of a file that is gone. The router says of a link that it could not look ahead.
const GONE = [/status of 404/, /Failed to fetch dynamically imported module/];

/**
 * A tab at /dashboard while a new version is deployed: what it has not loaded yet is gone, until `mend` serves what it asks for. Counts how
 * often the page is loaded from then on.
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
  page.on('load', () => (loads += 1));
  return {
    context,
    page,
    loads: () => loads,
    mend: () => {
      gone = false;
    },
  };
}

const refer = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Deposit' }).first();

describe('a tab that is older than the deploy', () => {
  it('is loaded anew once, and shows the page that was asked for', async () => {
    const { context, page, loads, mend } = await outdatedTab();
    // The new version is there for whoever loads the page.
    page.on('request', (request) => (request.isNavigationRequest() ? mend() : undefined));
    await refer(page).click();
    await heading(page, 'Deposit').waitFor();
    await page.waitForLoadState('networkidle');
    expect([loads(), new URL(page.url()).pathname]).toEqual([1, '/deposit']);
    await context.close();
  });

  it('is not loaded for ever when that does not help, and says what to do', async () => {
    const { context, page, loads, mend } = await outdatedTab();
    await refer(page).click();
    await heading(page, 'There is a new version.').waitFor();
    await page.waitForLoadState('networkidle');
    expect([loads(), new URL(page.url()).pathname]).toEqual([1, '/deposit']);
    mend();
    await page.getByRole('button', { name: 'Reload' }).click();
    await heading(page, 'Deposit').waitFor();
    await context.close();
  });

  it('keeps what is being typed while the pointer only passes over links', async () => {
    const { context, page, loads } = await outdatedTab();
    await page.getByRole('button', { name: 'Custom' }).click();
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    const asked = page.waitForResponse((answer) => answer.status() === 404);
    await refer(page).hover();
    await asked;
    await page.waitForLoadState('networkidle');
    expect([loads(), await page.getByLabel('From', { exact: true }).inputValue()]).toEqual([0, '2020-01-01']);
    await context.close();
  });

  it('opens a dialog whose code is gone after one reload', async () => {
    const { context, page, loads, mend } = await outdatedTab();
    page.on('request', (request) => (request.isNavigationRequest() ? mend() : undefined));
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await expect.poll(loads).toBe(1);
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
