import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { launch, signIn, visit } from './support/browser';

// Not a test: `make screenshots` takes a picture of every screen, with the demo's people and deals on it.

const FOLDER = resolve(import.meta.dirname, '../screenshots');

const ROUTES = {
  visitor: ['/', '/login', '/signup', '/explore', '/profile/seller', '/no/such/page'],
  buyer: [
    '/dashboard',
    '/deal',
    '/balance',
    '/deposit',
    '/withdraw',
    '/refer',
    '/support',
    '/MyPosts',
    '/posts/create',
    '/profile',
  ],
  admin: ['/admin', '/admin/deposit', '/admin/withdrawal', '/admin/deals', '/admin/support-requests'],
} as const;

const WIDTHS = [1280, 360];
const LOOKS = [
  { language: 'en', theme: 'light' },
  { language: 'en', theme: 'dark' },
  { language: 'bn', theme: 'light' },
] as const;

let browser: Browser;
beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  browser = await launch();
});
afterAll(() => browser.close());

/** The demo's deals, one of each status, and the support form of one; each with the name of its picture. */
async function dealRoutes(context: BrowserContext): Promise<[path: string, name: string][]> {
  const answer = await context.request.get('/api/deals/my-deals');
  const deals = (await answer.json()) as { _id: string; status: string }[];
  const ofEach = [...new Map(deals.map((deal) => [deal.status, deal])).values()];
  return [
    ...ofEach.map(({ _id, status }): [string, string] => [`/deal/${_id}`, fileOf(`deal-${status}`)]),
    ...ofEach.slice(0, 1).map(({ _id }): [string, string] => [`/support?dealId=${_id}`, 'support-deal']),
  ];
}

const fileOf = (path: string) => (path.replaceAll(/[^\w-]+/g, '_').replaceAll(/^_+|_+$/g, '') || 'landing').toLowerCase();

describe.each(LOOKS)('$language $theme', ({ language, theme }) => {
  it.each(WIDTHS)('%i px', { timeout: 300_000 }, async (width) => {
    const folder = join(FOLDER, `${language}-${theme}-${width}`);
    await mkdir(folder, { recursive: true });
    for (const [who, paths] of Object.entries(ROUTES)) {
      const { context, page } = await visit(browser, { language, theme, width });
      if (who !== 'visitor') await signIn(context, who);
      const routes = paths.map((path): [string, string] => [path, fileOf(path)]);
      for (const [path, name] of who === 'buyer' ? [...routes, ...(await dealRoutes(context))] : routes) {
        await page.goto(path, { waitUntil: 'networkidle' });
        await page.screenshot({ path: join(folder, `${who}-${name}.png`), fullPage: true });
      }
      await context.close();
    }
  });
});
