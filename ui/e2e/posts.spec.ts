import type { Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { post } from './support/people';
import { heading, says, toast } from './support/screen';
import { expect, test } from './support/test';

const WORDS = {
  description: 'As it stands.',
  price: 5,
  category: 'Freelance Service',
  subcategory: 'Writing',
  image: '',
  tags: [],
};

/** A word that no other post has. */
const unheardOf = () => `z${Math.random().toString(36).slice(2, 10)}`;

const shownTitles = (page: Page) => page.locator('[data-slot="post-title"]');

test.describe('the listing', () => {
  test('leads through many pages in one order, with gaps, and Back keeps the place', async ({ page, newcomer, seller }) => {
    const word = unheardOf();
    const PAGES = 9;
    // Who is new may have twenty posts.
    const EACH = 18;
    for (let number = 0; number < PAGES * 12; number += EACH) {
      const shop = await newcomer('shop');
      for (let own = 0; own < EACH; own += 1) await post(shop, '/posts', { ...WORDS, title: `${word} ${number + own}` });
    }
    await page.goto(`/explore?search=${word}`);
    await expect(shownTitles(page)).toHaveCount(12);
    await page.waitForURL(/seed=/);
    const pager = page.getByRole('navigation', { name: 'Pages of posts' });
    const shown = () => pager.getByRole('listitem').allTextContents();
    expect(await shown()).toEqual(['1', '2', '…', '9']);
    const all = [...(await shownTitles(page).allTextContents())];
    const goOnTo = async (last: number) => {
      while (all.length < last * 12) {
        const before = await shownTitles(page).allTextContents();
        await pager.getByRole('link', { name: 'Next' }).click();
        await expect(shownTitles(page)).not.toHaveText(before);
        all.push(...(await shownTitles(page).allTextContents()));
      }
    };
    await goOnTo(5);
    expect(await shown()).toEqual(['1', '…', '4', '5', '6', '…', '9']);
    await expectAccessible(page);
    await goOnTo(PAGES);
    expect(await shown()).toEqual(['1', '…', '8', '9']);
    expect(new Set(all).size).toBe(PAGES * 12);

    // Back, and Back from a page that is not the listing.
    await page.goBack();
    await expect(shownTitles(page)).toHaveText(all.slice(-24, -12));
    await page.goto('/terms');
    await page.goBack();
    await expect(shownTitles(page)).toHaveText(all.slice(-24, -12));
    await pager.getByRole('link', { name: 'Page 1', exact: true }).click();
    await expect(shownTitles(page)).toHaveText(all.slice(0, 12));

    // What is new since then does not push the others about.
    await post(seller, '/posts', { ...WORDS, title: `${word} new` });
    await page.reload();
    await expect(shownTitles(page)).toHaveText(all.slice(0, 12));
    await pager.getByRole('link', { name: 'Next' }).click();
    await expect(shownTitles(page)).toHaveText(all.slice(12, 24));
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  });
});

test.describe('the form of a post', () => {
  test('counts the title, takes tags by Enter and comma, and a subcategory of one’s own', async ({ seller }) => {
    const { page } = seller;
    const word = unheardOf();
    await page.goto('/posts/create');
    const title = page.getByLabel('Title');
    await title.fill('x'.repeat(80));
    await says(page, '80/80 characters');
    await title.press('End');
    await title.pressSequentially('y');
    await says(page, '81/80 characters');
    await page.getByRole('button', { name: 'Publish' }).click();
    await expect(toast(page, 'The title must be at most 80 characters.')).toBeVisible();
    const bangla = `আমার পোস্ট ${word}`;
    await title.fill(bangla);
    await says(page, `${Array.from(bangla).length}/80 characters`);

    const tags = page.getByRole('textbox', { name: 'Tags' });
    const added = () => page.getByRole('list', { name: 'Tags' }).getByRole('listitem').allTextContents();
    await tags.fill(' cooking ');
    await tags.press('Enter');
    await tags.pressSequentially('bangla,');
    await tags.fill('COOKING');
    await tags.press('Enter');
    await tags.press('Enter');
    await tags.pressSequentially(' , ,');
    expect(await added()).toEqual(['cooking', 'bangla']);
    await expect(heading(page, 'Create a post')).toHaveCount(1);
    await page.getByRole('button', { name: 'Remove the tag cooking' }).click();
    expect(await added()).toEqual(['bangla']);

    await page.getByLabel('Description').fill('Since 2019.');
    await page.getByLabel('Price', { exact: true }).fill('৯৯.৫০');
    await page.getByLabel('Category', { exact: true }).selectOption('Physical Product');
    await page.getByLabel('Subcategory').selectOption('Other');
    await page.getByLabel('Your own subcategory').fill('   ');
    await page.getByRole('button', { name: 'Publish' }).click();
    await expect(toast(page, 'Please enter your own subcategory.')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Your own subcategory').fill('Sewing machine');
    await page.getByRole('button', { name: 'Publish' }).click();
    await expect(toast(page, 'Post published')).toBeVisible();
    const mine = (await (await seller.context.request.get('/api/posts/my-posts')).json()) as { title: string }[];
    expect(mine.find((one) => one.title.includes(word))).toMatchObject({
      ...{
        title: bangla,
        price: 99.5,
        category: 'Physical Product',
        subcategory: 'Sewing machine',
        tags: ['bangla'],
      },
    });
  });
});

test.describe('one’s own posts', () => {
  test('have a link that is copied, with a tick of two seconds, and are deleted only when that is confirmed', async ({
    newcomer,
  }) => {
    const owner = await newcomer('anika', { width: 360 });
    const { page, context } = owner;
    const title = `Ten logos ${unheardOf()}`;
    const { _id } = await post(owner, '/posts', { ...WORDS, title });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.clock.install();
    await page.goto('/MyPosts');
    const copy = page.getByRole('button', { name: `Copy the link to ${title}` });
    const tick = copy.locator('[data-slot="copied-icon"]');
    await expect(copy).toBeVisible();
    const start = await page.evaluate(() => Date.now());
    await page.clock.pauseAt(start + 60_000);
    await copy.click();
    await expect(tick).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(new RegExp(`/posts/${_id}$`));
    await page.clock.runFor(1_990);
    await expect(tick).toHaveCount(1);
    await page.clock.runFor(20);
    await expect(tick).toHaveCount(0);
    await page.clock.resume();

    const button = page.getByRole('button', { name: `Delete ${title}` });
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this post?' });
    await button.click();
    await question.getByRole('button', { name: 'Keep it' }).click();
    await expect(question).toHaveCount(0);
    expect((await context.request.get(`/api/posts/${_id}`)).status()).toBe(200);
    await button.click();
    await question.getByRole('button', { name: 'Delete the post' }).click();
    await says(page, "You haven't created any posts yet.");
    expect((await context.request.get(`/api/posts/${_id}`)).status()).toBe(404);
  });
});
