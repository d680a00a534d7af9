import type { Page } from '@playwright/test';
import { common as bangla } from '@/i18n/bn/common';
import { expectAccessible, expectFits } from './support/checks';
import { provoke } from './support/faults';
import type { Visitor } from './support/people';
import { DAILY, type Round } from './support/rounds';
import { type Access, addresses, LEADS_TO, routesFor } from './support/routes';
import { follow, whole } from './support/screen';
import { test as base, type DemoUser, expect } from './support/test';

type Fixtures = {
  /** Set by the projects of playwright.config.ts. */
  round: Round;
  /** Opens a browser of a user with this access. */
  enter: (access: Access) => Promise<Visitor>;
};

/** The visitors of each kind of page. */
const EYES: Record<Access, DemoUser | 'visitor'> = {
  visitors: 'visitor',
  everybody: 'visitor',
  users: 'buyer',
  admins: 'admin',
};

/**
 * The browser's messages about unknown deposits, decisions, links, papers and proofs, and an
 * invalid appeal link.
 */
const UNKNOWN = /status of 40[04] .*\/api\/(?:decisions|disputes|appeals|invites|check|held|deposits|checkouts)\//;

const test = base.extend<Fixtures>({
  round: [DAILY, { option: true }],
  enter: ({ visit, signedIn }, use) =>
    use(async (access) => {
      const eye = EYES[access];
      const visitor = await (eye === 'visitor' ? visit() : signedIn(eye));
      provoke(visitor.context, UNKNOWN);
      return visitor;
    }),
});

const RETRY = { en: 'Retry', bn: bangla.retry } as const;

/** Navigates like a link; between variants of a page, like a bookmark. */
async function goTo(page: Page, address: string, landing: string): Promise<void> {
  if (new URL(page.url()).pathname === landing) await page.goto(address);
  else await follow(page, address, landing);
  await whole(page, landing);
}

/** Problems visible on the page. */
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
      document.querySelector('[data-slot="failed-page"]') ? 'an error in the place of the page' : [],
    ].flat();
  }, language);
  return [...failed, ...seen];
}

async function inspect({ look, viewports }: Round, page: Page, address: string): Promise<void> {
  expect(await shortcomings(page, look.language), address).toEqual([]);
  await expectFits(page, address);
  await expectAccessible(page, address);
  const usual = page.viewportSize();
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    await expectFits(page, `${address}, ${viewport.width} px wide`);
  }
  if (usual) await page.setViewportSize(usual);
}

for (const access of ['visitors', 'everybody', 'users', 'admins'] as const)
  test(`the pages of ${access}`, async ({ round, enter }) => {
    const { page, context } = await enter(access);
    await page.goto('/privacy');
    await expect(page.locator('section[aria-live="polite"]')).toBeAttached();
    for (const route of routesFor(access)) {
      const all = await addresses(route, context);
      expect(all, route).not.toEqual([]);
      for (const address of all)
        await test.step(address, async () => {
          await goTo(page, address, LEADS_TO[route] ?? new URL(address, page.url()).pathname);
          await inspect(round, page, address);
        });
    }
  });
