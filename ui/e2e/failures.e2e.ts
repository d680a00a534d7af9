import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launch, signIn, visit } from './support/browser';
import { BROKEN_CALLS, provoke } from './support/faults';
import { heading, says } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

type Screen = { path: string; who: 'buyer' | 'admin'; /** What is there when all is well. */ whole: (page: Page) => Locator };

const row = (page: Page) => page.getByRole('main').getByRole('link', { name: /buyer|seller/ }).first();

const SCREENS: Screen[] = [
  { path: '/dashboard', who: 'buyer', whole: (page) => page.getByText('Your balance').first() },
  { path: '/deal', who: 'buyer', whole: (page) => heading(page, 'Manage Deals') },
  { path: '/explore', who: 'buyer', whole: (page) => page.locator('.post__t').first() },
  { path: '/inbox', who: 'buyer', whole: (page) => page.getByRole('navigation', { name: 'Conversations' }).getByRole('link') },
  { path: '/balance', who: 'buyer', whole: (page) => page.getByRole('main').getByText('$500.00').first() },
  { path: '/admin/deals', who: 'admin', whole: row },
];

/** What a broken server or line does with a call; the session is known, the rest is not to be had. */
const BREAKS = {
  'a server that is gone': (context: BrowserContext) => context.route('**/api/**', (route) => route.abort()),
  'a server that fails': (context: BrowserContext) =>
    context.route('**/api/**', (route) => route.fulfill({ status: 500, json: { message: '', code: 'internal' } })),
  'a proxy without a server': (context: BrowserContext) =>
    context.route('**/api/**', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })),
};

async function somebody(who: Screen['who']) {
  const { context } = await visit(browser);
  await signIn(context, who);
  return context;
}

/** The page shows words and a way to try again: never nothing, and never the markup of somebody else's answer. */
async function expectRetry(page: Page): Promise<Locator> {
  const retry = page.getByRole('main').getByRole('button', { name: 'Retry' }).filter({ visible: true }).first();
  await retry.waitFor();
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  expect(await page.getByText('Bad Gateway').count()).toBe(0);
  return retry;
}

describe.each(Object.entries(BREAKS))('with %s', (_, breakIt) => {
  it.each(['buyer', 'admin'] as const)('every screen of %s says so, and Retry brings it', async (who) => {
    const context = await somebody(who);
    provoke(context, ...BROKEN_CALLS);
    const seen = SCREENS.filter((screen) => screen.who === who);
    await breakIt(context);
    // Who is asking is known: the line broke later.
    await context.route('**/api/auth/check', (route) => route.continue());
    const pages = await Promise.all(
      seen.map(async ({ path }) => {
        const page = await context.newPage();
        await page.goto(path);
        return page;
      }),
    );
    for (const page of pages) await expectRetry(page);
    await context.unrouteAll();
    for (const [index, page] of pages.entries()) {
      await expectAccessible(page);
      // A screen of many parts has a Retry at each that failed.
      await expect
        .poll(async () => {
          const retries = page.getByRole('main').getByRole('button', { name: 'Retry' }).filter({ visible: true });
          for (const retry of await retries.all()) await retry.click({ timeout: 1_000 }).catch(() => undefined);
          return (await retries.count()) === 0;
        })
        .toBe(true);
      await seen[index]?.whole(page).first().waitFor();
    }
    await context.close();
  });
});

describe('a deal that cannot be loaded', () => {
  it('leads to the list of deals, with the reason', async () => {
    const context = await somebody('buyer');
    provoke(context, ...BROKEN_CALLS);
    const [deal] = (await (await context.request.get('/api/deals/my-deals')).json()) as { _id: string }[];
    await context.route('**/api/deals/0*', (route) => route.fulfill({ status: 500, json: { message: '', code: 'internal' } }));
    const page = await context.newPage();
    await page.goto(`/deal/${deal?._id}`);
    await heading(page, 'Manage Deals').waitFor();
    await page.locator('[data-sonner-toast]', { hasText: 'Failed to fetch deal' }).waitFor();
    await context.close();
  });
});

describe('when not even the session can be asked for', () => {
  it('no page is blank and nobody is sent away', async () => {
    const context = await somebody('buyer');
    provoke(context, ...BROKEN_CALLS);
    await BREAKS['a server that is gone'](context);
    const page = await context.newPage();
    await page.goto('/balance');
    const retry = await expectRetry(page);
    await expectAccessible(page);
    await context.unrouteAll();
    await retry.click();
    await says(page.getByRole('main'), '$500.00');
    expect(new URL(page.url()).pathname).toBe('/balance');
    await context.close();
  });
});

describe('on a slow line', () => {
  it.each(['buyer', 'admin'] as const)('every screen of %s shows what is coming, then brings it', async (who) => {
    const context = await somebody(who);
    let arrive: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await context.route('**/api/**', async (route) => {
      if (!route.request().url().includes('/auth/check')) await slow;
      await route.continue();
    });
    const seen = SCREENS.filter((screen) => screen.who === who);
    const pages = await Promise.all(
      seen.map(async ({ path }) => {
        const page = await context.newPage();
        await page.goto(path);
        return page;
      }),
    );
    for (const page of pages) {
      await page.locator('[data-slot="skeleton"]').first().waitFor();
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    }
    arrive();
    for (const [index, page] of pages.entries()) {
      await seen[index]?.whole(page).first().waitFor();
      await page.locator('[data-slot="skeleton"]').first().waitFor({ state: 'detached' });
    }
    await context.close();
  });
});
