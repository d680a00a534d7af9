import type { Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { post } from './support/people';
import { expect, test } from './support/test';

const WORDS = {
  ...{ description: 'As it stands.', price: 5, category: 'Freelance Service', subcategory: 'Writing' },
  ...{ image: '', tags: [] },
};

const PAGES = 3;
const ON_A_PAGE = 12;

const shownTitles = (page: Page) => page.locator('[data-slot="post-title"]');

test('the listing leads through its pages in one order, and Back keeps the place', async ({ page, seller, newcomer }) => {
  // A unique word.
  const word = `z${Math.random().toString(36).slice(2, 10)}`;
  // A new user may have twenty posts.
  for (const shop of [seller, await newcomer('shop')])
    for (let number = 0; number < (PAGES * ON_A_PAGE) / 2; number += 1)
      await post(shop, '/posts', { ...WORDS, title: `${word} ${shop.name} ${number}` });
  await page.goto(`/explore?search=${word}`);
  await expect(shownTitles(page)).toHaveCount(ON_A_PAGE);
  await page.waitForURL(/seed=/);
  const pager = page.getByRole('navigation', { name: 'Pages of posts' });
  const next = pager.getByRole('link', { name: 'Next' });
  const all = [await shownTitles(page).allTextContents()];
  while (all.length < PAGES) {
    await next.click();
    await expect(shownTitles(page)).not.toHaveText(all.at(-1) ?? []);
    all.push(await shownTitles(page).allTextContents());
  }
  const [first = [], second = []] = all;
  expect(new Set(all.flat()).size).toBe(PAGES * ON_A_PAGE);
  await expectAccessible(page);

  await test.step('Back leads to the page before, also from another one', async () => {
    await page.goBack();
    await expect(shownTitles(page)).toHaveText(second);
    await page.goto('/terms');
    await page.goBack();
    await expect(shownTitles(page)).toHaveText(second);
    await pager.getByRole('link', { name: 'Page 1', exact: true }).click();
    await expect(shownTitles(page)).toHaveText(first);
  });

  await test.step('What is new since then does not push the others about', async () => {
    await post(seller, '/posts', { ...WORDS, title: `${word} new` });
    await page.reload();
    await expect(shownTitles(page)).toHaveText(first);
    await next.click();
    await expect(shownTitles(page)).toHaveText(second);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  });
});
