import type { Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { heading, says, whole } from './support/screen';
import { expect, test } from './support/test';

/** Those that the build writes ahead, and the title of each in both languages. */
const WRITTEN = {
  '/': { en: /Sell your YouTube channel/, bn: /নিশ্চিন্তে ইউটিউব চ্যানেল বেচুন/ },
  '/explore': { en: 'Marketplace', bn: 'মার্কেটপ্লেস' },
  '/login': { en: 'Login', bn: 'লগ ইন' },
  '/signup': { en: 'Create Account', bn: 'অ্যাকাউন্ট খুলুন' },
  '/aboutus': { en: 'About us', bn: 'আমাদের কথা' },
  '/ourleaders': { en: 'Our leaders', bn: 'আমাদের নেতৃত্ব' },
  '/papers': { en: 'Government papers', bn: 'সরকারি কাগজপত্র' },
  '/privacy': { en: 'Privacy', bn: 'গোপনীয়তা' },
  '/terms': { en: 'Terms', bn: 'শর্তাবলি' },
} as const;
const PATHS = Object.keys(WRITTEN) as (keyof typeof WRITTEN)[];

/** What a page is not whole without: the landing page has a counter from the server. */
const lastOf = (page: Page, path: keyof typeof WRITTEN) =>
  path === '/' ? page.getByText(/^\$[\d,]+$/).first() : heading(page, WRITTEN[path].en);

/** The page is hydrated: what only the browser draws is there. */
const hydrated = (page: Page) => expect(page.locator('section[aria-live="polite"]')).toBeAttached();

test.describe('prerendered pages', () => {
  for (const [accepted, language] of [
    ['en-US,bn;q=0.8', 'en'],
    ['bn-BD,en;q=0.8', 'bn'],
  ] as const) {
    test(`come in the language of ${accepted}, readable without scripts`, async ({ visit }) => {
      const { page } = await visit(
        {},
        {
          javaScriptEnabled: false,
          locale: undefined, // has a header of its own
          extraHTTPHeaders: { 'Accept-Language': accepted },
        },
      );
      for (const path of PATHS) {
        await page.goto(path);
        await expect(heading(page, WRITTEN[path][language])).toBeVisible();
        await expect(page.locator('html')).toHaveAttribute('lang', language);
      }
    });
  }

  for (const path of PATHS) {
    test(`${path} is hydrated without losing a node`, async ({ page }) => {
      await page.addInitScript(() => {
        const kept: Element[] = [];
        Object.assign(window, { kept });
        document.addEventListener('readystatechange', () => {
          if (document.readyState === 'interactive') kept.push(...document.querySelectorAll('#root *'));
        });
      });
      await page.goto(path);
      await hydrated(page);
      await expect(lastOf(page, path)).toBeVisible();
      const { written, lost } = await page.evaluate(() => {
        const { kept } = window as unknown as { kept: Element[] };
        // Grey bars stand where figures and cards come later.
        const lost = kept.filter(
          (node) =>
            !node.isConnected &&
            !node.matches('[data-slot="skeleton"], [data-slot="cards-skeleton"], [data-slot="cards-skeleton"] *'),
        );
        return { written: kept.length, lost: lost.map((node) => node.outerHTML.slice(0, 80)) };
      });
      expect(written).toBeGreaterThan(50);
      expect(lost).toEqual([]);
    });
  }

  test('are drawn anew in the language that was chosen, which the next page already comes in', async ({ page, context }) => {
    await page.goto('/terms');
    await hydrated(page);
    await page.getByRole('banner').getByRole('button', { name: 'বাংলা' }).click();
    await expect(heading(page, 'শর্তাবলি')).toBeVisible();
    const answer = await context.request.get('/privacy');
    expect(await answer.text()).toContain('গোপনীয়তা | আমানত');
  });
});

test.describe('header and footer', () => {
  test('lead to every public page', async ({ page }) => {
    await page.goto('/');
    await hydrated(page);
    const footer = page.getByRole('contentinfo');
    const texts = await footer.getByRole('navigation').getByRole('link').allTextContents();
    expect(texts.sort()).toEqual(
      ['About us', 'Contact us', 'Government papers', 'Marketplace', 'Our leaders', 'Privacy', 'Report a bug', 'Terms'].sort(),
    );
    for (const name of texts) {
      await footer.getByRole('link', { name, exact: true }).click();
      await expect(heading(page, name)).toBeVisible();
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    }
    for (const [name, path, title] of [
      ['Marketplace', '/explore', 'Marketplace'],
      ['Login', '/login', 'Login'],
      ['Join', '/signup', 'Create Account'],
    ] as const) {
      await page.getByRole('banner').getByRole('link', { name, exact: true }).filter({ visible: true }).click();
      await page.waitForURL(({ pathname }) => pathname === path);
      // The address changes before the page, whose header may be another one: a click in between can be lost.
      await expect(heading(page, title)).toBeVisible();
    }
  });

  test('offer to start a transaction, and the footer is gone in inbox, deals and admin area', async ({
    visit,
    signedIn,
    admin,
  }) => {
    const { page } = await visit({ width: 360 });
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Start a Transaction' }).click();
    await expect(heading(page, 'Create Account')).toBeVisible();
    const member = await signedIn('buyer', { width: 360 });
    for (const path of ['/deal', '/inbox']) {
      await member.page.goto(path);
      await whole(member.page);
      await expect(member.page.getByRole('contentinfo'), path).toHaveCount(0);
    }
    await member.page.goto('/dashboard');
    await expect(member.page.getByRole('contentinfo')).toBeVisible();
    for (const path of ['/admin/dashboard', '/admin/users']) {
      await admin.page.goto(path);
      await whole(admin.page);
      await expect(admin.page.getByRole('contentinfo'), path).toHaveCount(0);
    }
  });
});

test.describe('the papers', () => {
  test('are enlarged by mouse and key, and give the focus back', async ({ visit }) => {
    const { page } = await visit({ width: 360 });
    await page.goto('/papers');
    await hydrated(page);
    const paper = page.getByRole('button', { name: /tax certificate/ });
    await paper.click();
    const dialog = page.getByRole('dialog', { name: 'Tax certificate' });
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => paper.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
  });
});

test.describe('the dashboard', () => {
  test('shows the chosen period, which the address keeps', async ({ signedIn }) => {
    const { page } = await signedIn('seller');
    await page.goto('/dashboard');
    await says(page, /of \d+ deals? completed/);
    await page.getByRole('button', { name: '7 days' }).click();
    await page.waitForURL('**/dashboard?days=7');
    await page.getByRole('button', { name: 'Custom' }).click();
    await page.getByLabel('First day').fill('2020-01-01');
    await page.getByLabel('Last day').fill('2020-02-01');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await says(page, 'No finished deals in this period.');
    await says(page, 'No reviews in this period.');
    await page.reload();
    await says(page, 'No finished deals in this period.');
    await expectAccessible(page);
    await page.goBack();
    await page.waitForURL('**/dashboard?days=7');
    await expect(page.getByRole('button', { name: '7 days', pressed: true })).toBeVisible();
  });
});
