import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launch, signIn, visit } from './support/browser';
import { admin } from './support/people';
import { heading, says, whole } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Those that the build writes ahead, and the title of each in both languages. */
const WRITTEN = {
  '/': [/Sell your YouTube channel/, /নিশ্চিন্তে ইউটিউব চ্যানেল বেচুন/],
  '/explore': ['Marketplace', 'মার্কেটপ্লেস'],
  '/login': ['Login', 'লগ ইন'],
  '/signup': ['Create Account', 'অ্যাকাউন্ট খুলুন'],
  '/aboutus': ['About us', 'আমাদের কথা'],
  '/ourleaders': ['Our leaders', 'আমাদের নেতৃত্ব'],
  '/papers': ['Government papers', 'সরকারি কাগজপত্র'],
  '/privacy': ['Privacy', 'গোপনীয়তা'],
  '/terms': ['Terms', 'শর্তাবলি'],
} as const;
const PATHS = Object.keys(WRITTEN) as (keyof typeof WRITTEN)[];

/** The page is alive: what only the browser draws is there. */
const alive = (page: Page) => page.locator('section[aria-live="polite"]').waitFor({ state: 'attached' });

describe('pages that are written ahead', () => {
  it.each([
    ['en-US,bn;q=0.8', 'en'],
    ['bn-BD,en;q=0.8', 'bn'],
  ] as const)('come in the language of %s, readable without scripts', async (accepted, language) => {
    const context = await browser.newContext({ javaScriptEnabled: false, extraHTTPHeaders: { 'Accept-Language': accepted } });
    const { context: based } = await visit(browser);
    const page = await context.newPage();
    for (const path of PATHS) {
      const address = (await based.request.get(path)).url();
      await page.goto(address);
      expect(await heading(page, WRITTEN[path][language === 'en' ? 0 : 1]).isVisible(), path).toBe(true);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
    }
    await context.close();
    await based.close();
  });

  it.each(PATHS)('%s becomes alive without losing a node', async (path) => {
    const { context, page } = await visit(browser);
    await page.addInitScript(() => {
      const kept: Element[] = [];
      Object.assign(window, { kept });
      document.addEventListener('readystatechange', () => {
        if (document.readyState === 'interactive') kept.push(...document.querySelectorAll('#root *'));
      });
    });
    await page.goto(path);
    await alive(page);
    if (path === '/')
      await page
        .getByText(/^\$[\d,]+$/)
        .first()
        .waitFor(); // a counter from the server
    const { written, lost } = await page.evaluate(() => {
      const { kept } = window as unknown as { kept: Element[] };
      // Grey bars stand where figures and cards come later.
      const lost = kept.filter(
        (node) => !node.isConnected && !node.matches('[data-slot="skeleton"], .posts[aria-hidden], .posts[aria-hidden] *'),
      );
      return { written: kept.length, lost: lost.map((node) => node.outerHTML.slice(0, 80)) };
    });
    expect(written).toBeGreaterThan(50);
    expect(lost).toEqual([]);
    await context.close();
  });

  it('are drawn anew in the language that was chosen, which the next page already comes in', async () => {
    const { context, page } = await visit(browser);
    await page.goto('/terms');
    await alive(page);
    await page.getByRole('banner').getByRole('button', { name: 'বাংলা' }).click();
    await heading(page, 'শর্তাবলি').waitFor();
    const answer = await context.request.get('/privacy');
    expect(await answer.text()).toContain('গোপনীয়তা | আমানত');
    await context.close();
  });
});

describe('header and footer', () => {
  it('lead to every public page', async () => {
    const { context, page } = await visit(browser);
    await page.goto('/');
    await alive(page);
    const footer = page.getByRole('contentinfo');
    const texts = await footer.getByRole('navigation').getByRole('link').allTextContents();
    expect(texts.sort()).toEqual(
      ['About us', 'Contact us', 'Government papers', 'Marketplace', 'Our leaders', 'Privacy', 'Report a bug', 'Terms'].sort(),
    );
    for (const name of texts) {
      await footer.getByRole('link', { name, exact: true }).click();
      await heading(page, name).waitFor();
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    }
    for (const [name, path] of [
      ['Marketplace', '/explore'],
      ['Login', '/login'],
      ['Join', '/signup'],
    ] as const) {
      await page.getByRole('banner').getByRole('link', { name, exact: true }).filter({ visible: true }).click();
      await page.waitForURL(({ pathname }) => pathname === path);
    }
    await context.close();
  });

  it('offer to start a transaction, and the footer is gone in inbox, deals and admin area', async () => {
    const { context, page } = await visit(browser, { width: 360 });
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Start a Transaction' }).click();
    await heading(page, 'Create Account').waitFor();
    await signIn(context, 'buyer');
    for (const path of ['/deal', '/inbox']) {
      await page.goto(path);
      await whole(page);
      expect(await page.getByRole('contentinfo').count(), path).toBe(0);
    }
    await page.goto('/dashboard');
    await page.getByRole('contentinfo').waitFor();
    await context.close();
    const boss = await admin(browser);
    for (const path of ['/admin/dashboard', '/admin/users']) {
      await boss.page.goto(path);
      await whole(boss.page);
      expect(await boss.page.getByRole('contentinfo').count(), path).toBe(0);
    }
    await boss.context.close();
  });
});

describe('the papers', () => {
  it('are enlarged by mouse and key, and give the focus back', async () => {
    const { context, page } = await visit(browser, { width: 360 });
    await page.goto('/papers');
    await alive(page);
    const paper = page.getByRole('button', { name: /tax certificate/ });
    await paper.click();
    const dialog = page.getByRole('dialog', { name: 'Tax certificate' });
    await dialog.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => paper.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await context.close();
  });
});

describe('the dashboard', () => {
  it('shows the chosen period, which the address keeps', async () => {
    const { context, page } = await visit(browser);
    await signIn(context, 'seller');
    await page.goto('/dashboard');
    await says(page, /of \d+ deals? completed/);
    await page.getByRole('button', { name: '7 days' }).click();
    await page.waitForURL('**/dashboard?days=7');
    await page.getByRole('button', { name: 'Custom' }).click();
    await page.getByLabel('First day').fill('2020-01-01');
    await page.getByLabel('Last day').fill('2020-02-01');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await says(page, 'No finished deals in this time.');
    await says(page, 'No reviews in this time.');
    await page.reload();
    await says(page, 'No finished deals in this time.');
    await expectAccessible(page);
    await page.goBack();
    await page.waitForURL('**/dashboard?days=7');
    await page.getByRole('button', { name: '7 days', pressed: true }).waitFor();
    await context.close();
  });
});
