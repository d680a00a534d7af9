import type { Page } from '@playwright/test';
import { heading } from './support/screen';
import { expect, test } from './support/test';

/** The prerendered pages with their titles in both languages. */
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

/** The part of the page that arrives last; the landing page has a counter from the server. */
const lastOf = (page: Page, path: keyof typeof WRITTEN) =>
  path === '/' ? page.getByText(/^\$[\d,]+$/).first() : heading(page, WRITTEN[path].en);

/** The page is hydrated: a client-only part is mounted. */
const hydrated = (page: Page) => expect(page.locator('section[aria-live="polite"]')).toBeAttached();

for (const [accepted, language] of [
  ['en-US,bn;q=0.8', 'en'],
  ['bn-BD,en;q=0.8', 'bn'],
] as const) {
  test(`prerendered pages come in the language of ${accepted}, readable without scripts`, async ({ visit }) => {
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

test('prerendered pages are hydrated without losing a node, under the name of the site', async ({ visit }) => {
  const { page } = await visit({ width: 360 });
  await page.addInitScript(() => {
    const kept: Element[] = [];
    Object.assign(window, { kept });
    document.addEventListener('readystatechange', () => {
      if (document.readyState === 'interactive') kept.push(...document.querySelectorAll('#root *'));
    });
  });
  for (const path of PATHS)
    await test.step(path, async () => {
      await page.goto(path);
      await hydrated(page);
      await expect(lastOf(page, path)).toBeVisible();
      await expect(page.locator('header use[href^="#word"]')).toBeVisible();
      const { written, lost } = await page.evaluate(() => {
        const { kept } = window as unknown as { kept: Element[] };
        // Skeletons stand for later figures and cards.
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
});

test('language and theme are switched at once and remembered, by the server too', async ({ page, context }) => {
  await page.goto('/');
  await hydrated(page);
  await page.getByRole('banner').getByRole('button', { name: 'বাংলা' }).click();
  await expect(heading(page, /ইউটিউব চ্যানেল/)).toBeVisible();
  expect(await page.title()).toBe('আমানত: নিশ্চিন্তে ইউটিউব চ্যানেল বেচুন');
  await page.getByRole('button', { name: 'ডার্ক থিম চালু করুন' }).click();
  await page.reload();
  await expect(heading(page, /ইউটিউব চ্যানেল/)).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'bn');
  await expect(page.locator('html')).toContainClass('dark');
  const answer = await context.request.get('/privacy');
  expect(await answer.text()).toContain('গোপনীয়তা | আমানত');
});
