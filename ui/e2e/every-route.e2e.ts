import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { common as bangla } from '@/i18n/bn/common';
import { expectAccessible, expectFits, launch, signIn, visit } from './support/browser';
import { ACCESS, type Access, addresses, builtRoutes, LEADS_TO, routesFor } from './support/routes';
import { follow, whole } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

// Every route meets each width, each theme and each language, and axe once in each theme. A desk at 200 % zoom has half its pixels.
const ROUNDS = [
  { language: 'bn', theme: 'dark', width: 320, axe: true },
  { language: 'en', theme: 'dark', width: 768, axe: false },
  { language: 'en', theme: 'light', width: 1280, axe: true, zoomed: { width: 640, height: 450 } },
] as const;

const WHO = ['visitor', 'buyer', 'seller', 'admin'] as const;

/** Who looks at a page in each of the rounds. */
const EYES: Record<Access, readonly (typeof WHO)[number][]> = {
  visitors: ['visitor', 'visitor', 'visitor'],
  everybody: ['visitor', 'admin', 'buyer'],
  users: ['buyer', 'seller', 'buyer'],
  admins: ['admin', 'admin', 'admin'],
};

const RETRY = { en: 'Retry', bn: bangla.retry } as const;

const ALL = routesFor('visitors', 'everybody', 'users', 'admins');

const TOURS = ROUNDS.flatMap((round, index) =>
  WHO.map((who) => ({ ...round, index, who, routes: ALL.filter((route) => EYES[ACCESS[route]][index] === who) })),
).filter(({ routes }) => routes.length > 0);

/** Goes to an address as a link does; from one variant of a page to the next, as a bookmark does. */
async function goTo(page: Page, address: string, landing: string): Promise<void> {
  if (new URL(page.url()).pathname === landing) await page.goto(address);
  else await follow(page, address, landing);
  await whole(page, landing);
}

/** What is wrong with a page at first sight. */
async function shortcomings(page: Page, language: 'en' | 'bn'): Promise<string[]> {
  const retries = page.getByRole('button', { name: RETRY[language] }).filter({ visible: true });
  const failed = (await retries.count()) > 0 ? ['a part that failed'] : [];
  const seen = await page.evaluate((lang) => {
    const headings = document.querySelectorAll('h1').length;
    return [
      headings === 1 ? [] : `${headings} h1`,
      /Amanat|আমানত/.test(document.title) ? [] : `the title “${document.title}”`,
      document.documentElement.lang === lang ? [] : `the language ${document.documentElement.lang}`,
      (document.querySelector('main')?.innerText.trim().length ?? 0) > 10 ? [] : 'nothing to read',
      document.querySelector('.standin [role="alert"]') ? 'an error in the place of the page' : [],
    ].flat();
  }, language);
  return [...failed, ...seen];
}

describe('the sweep', () => {
  it('knows every route', () => {
    expect([...ALL].sort()).toEqual(builtRoutes().sort());
  });

  it.each(TOURS)('$who: $width px, $theme, $language', async (tour) => {
    const { language, theme, width, index, who, routes } = tour;
    const { context, page } = await visit(browser, { language, theme, width });
    if (who !== 'visitor') await signIn(context, who);
    await page.goto(who === 'visitor' ? '/privacy' : '/refer');
    await page.locator('section[aria-live="polite"]').waitFor({ state: 'attached' });
    for (const route of routes) {
      const all = await addresses(route, context);
      // The demo has many deals: each is looked at in one of the rounds.
      const mine = all.length > ROUNDS.length ? all.filter((_, place) => place % ROUNDS.length === index) : all;
      expect(mine, route).not.toEqual([]);
      for (const address of mine) {
        await goTo(page, address, LEADS_TO[route] ?? new URL(address, page.url()).pathname);
        expect(await shortcomings(page, language), address).toEqual([]);
        await expectFits(page, address);
        if (tour.axe) await expectAccessible(page, address);
        if (!('zoomed' in tour)) continue;
        await page.setViewportSize(tour.zoomed);
        await expectFits(page, `${address} at 200 %`);
        await page.setViewportSize({ width, height: 900 });
      }
    }
    await context.close();
  });
});
