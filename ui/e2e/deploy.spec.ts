import type { Page } from '@playwright/test';
import { chunkOf } from './support/chunks';
import { provoke } from './support/faults';
import { quiet } from './support/network';
import { heading, toast } from './support/screen';
import { expect, test } from './support/test';

// The browser's message about a missing file, and React's about its page.
const GONE = [/status of 404/, /MissingChunk/];

/**
 * A tab at /dashboard during a deploy: chunks it has not loaded are gone until `mend` serves them.
 * Counts page loads from then on; `before` runs before the deploy.
 */
async function outdatedTab(page: Page, before?: () => Promise<void>) {
  const known = new Set<string>();
  page.on('requestfinished', (request) => known.add(request.url()));
  await page.goto('/dashboard');
  await expect(heading(page, 'buyer')).toBeVisible();
  await quiet(page);
  await before?.();
  let gone = true;
  provoke(page.context(), ...GONE);
  await page.route('**/assets/**', (route) =>
    gone && !known.has(route.request().url()) ? route.fulfill({ status: 404, body: 'not found' }) : route.continue(),
  );
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return {
    loads: () => loads,
    mend: () => {
      gone = false;
    },
  };
}

/** A link of the dashboard; one target loads data first, the other none. */
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).filter({ visible: true }).first();
const PAGES = [
  ['Add money', '/deposit', 'src/routes/_app/_money.tsx', ['@soak']],
  ['Terms', '/terms', 'src/routes/_public/terms.tsx', []],
] as const;

test.describe('a tab that is older than the deploy', () => {
  test('keeps what is being typed until a link is followed, and is then loaded anew once', async ({ signedIn }) => {
    const { page } = await signedIn('buyer');
    const { loads, mend } = await outdatedTab(page);

    await test.step('The pointer passes over links', async () => {
      await page.getByRole('button', { name: 'Custom' }).click();
      await page.getByLabel('First day').fill('2020-01-01');
      // A reload for the first chunk would come before the second is requested.
      for (const [name, , source] of PAGES) {
        const asked = page.waitForResponse((answer) => answer.status() === 404 && answer.url().endsWith(chunkOf(source)));
        await link(page, name).hover();
        await asked;
      }
      expect([loads(), await page.getByLabel('First day').inputValue()]).toEqual([0, '2020-01-01']);
    });

    await test.step('One is followed to the new version', async () => {
      page.on('request', (request) => (request.isNavigationRequest() ? mend() : undefined));
      await link(page, 'Add money').click();
      await expect(page.getByRole('dialog', { name: 'Add money' })).toBeVisible();
      await quiet(page);
      expect([loads(), new URL(page.url()).pathname]).toEqual([1, '/deposit']);
    });
  });

  for (const [name, path, , tag] of PAGES)
    test(`is not loaded for ever when that does not help, but says so: ${name}`, { tag: [...tag] }, async ({ signedIn }) => {
      const { page } = await signedIn('buyer');
      const { loads, mend } = await outdatedTab(page);
      await link(page, name).click();
      await expect(heading(page, 'This page could not be loaded.')).toBeVisible();
      await quiet(page);
      expect([loads(), new URL(page.url()).pathname]).toEqual([1, path]);
      mend();
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page).toHaveTitle(`${name} | Amanat`);
    });

  test('says that the other language cannot be had', { tag: '@soak' }, async ({ signedIn }) => {
    const { page } = await signedIn('buyer');
    const other = page.getByRole('menuitem', { name: 'বাংলা' });
    const { loads } = await outdatedTab(page, async () => {
      await page.getByRole('button', { name: 'Profile menu' }).click();
      await expect(other).toBeVisible();
    });
    await other.click();
    await expect(toast(page, 'Something went wrong')).toBeVisible();
    expect(loads()).toBe(0);
  });
});
