import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { provoke, REFUSED } from './support/faults';
import { confirm, heading, postTitles, says, toast, whole } from './support/screen';
import { expect, test } from './support/test';

/** A unique word. */
const unheardOf = () => `z${Math.random().toString(36).slice(2, 10)}`;

/** A camera's picture, larger than what is sent. */
async function photo(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(2400, 1800);
    const context = canvas.getContext('2d');
    if (context) {
      context.fillStyle = 'teal';
      context.fillRect(0, 0, 2400, 1800);
    }
    const blob = await canvas.convertToBlob({ type: 'image/png' });
    return [...new Uint8Array(await blob.arrayBuffer())];
  });
  return Buffer.from(bytes);
}

async function fillIn(page: Page, title: string): Promise<void> {
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill('Since 2019.\n\nNo strikes.');
  await page.getByLabel('Price', { exact: true }).fill('৪৮০');
  await page.getByLabel('Category', { exact: true }).selectOption('Online Asset');
  await page.getByLabel('Subcategory').selectOption('Other');
  await page.getByLabel('Your own subcategory').fill('Podcast');
  await page.getByRole('textbox', { name: 'Tags' }).fill('cooking, bangla,');
}

test.describe('the marketplace', () => {
  test('takes a post from the form to the buyer and away again', async ({ visit, newcomer }) => {
    const seller = await newcomer('tanvir');
    const { page, context } = seller;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const word = unheardOf();
    const title = `Cooking channel ${word}`;

    const link = await test.step('The seller publishes a post', async () => {
      await page.goto('/MyPosts');
      await says(page, "You haven't created any posts yet.");
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Create a post' }).click();
      await expect(heading(page, 'Create a post')).toBeVisible();
      await fillIn(page, title);
      const file = { name: 'photo.png', mimeType: 'image/png', buffer: await photo(page) };
      await page.getByLabel('Add pictures').setInputFiles([file, file, file]);
      await expect(page.getByRole('button', { name: 'Make picture 3 the first' })).toBeVisible();
      await page.getByRole('button', { name: 'Make picture 3 the first' }).click();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Publish' }).click();
      await expect(toast(page, 'Post published')).toBeVisible();
      const sheet = page.getByRole('dialog', { name: 'Share the link' });
      await expectAccessible(page);
      await sheet.getByRole('button', { name: 'Close' }).click();
      await expect(heading(page, 'My Services')).toBeVisible();
      const copy = page.getByRole('button', { name: `Copy the link to ${title}` });
      await copy.click();
      await expect(copy.locator('[data-slot="copied-icon"]')).toBeVisible();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      await expectAccessible(page);
      return link;
    });

    const { visitor, opened } = await test.step('A visitor finds it and opens it in a new tab', async () => {
      const visitor = await visit({ width: 360 });
      await visitor.page.goto('/explore');
      await visitor.page.getByRole('searchbox', { name: 'Search posts' }).fill(word);
      const card = visitor.page.getByRole('link', { name: new RegExp(word) });
      await expect(card).toBeVisible();
      await expect(postTitles(visitor.page)).toHaveText([title]);
      await expectAccessible(visitor.page);
      const [opened] = await Promise.all([visitor.context.waitForEvent('page'), card.click()]);
      await expect(heading(opened, title)).toBeVisible();
      expect(opened.url()).toBe(link);
      await says(opened, 'Podcast');
      await expect
        .poll(() =>
          opened
            .getByRole('button', { name: 'Enlarge the picture: 1 of 3' })
            .locator('img')
            .evaluate((img: HTMLImageElement) => img.naturalWidth),
        )
        .toBeGreaterThan(0);
      await expectAccessible(opened);
      await opened.getByRole('button', { name: 'Enlarge the picture: 1 of 3' }).press('ArrowRight');
      const second = opened.getByRole('button', { name: 'Enlarge the picture: 2 of 3' });
      await expect(second).toBeInViewport({ ratio: 0.9 });
      await expect(second).toBeFocused();
      await second.press('Enter');
      await expect(opened.getByRole('dialog').getByRole('img')).toBeVisible();
      await says(opened.getByRole('dialog'), '2 of 3');
      await expectAccessible(opened);
      await opened.keyboard.press('Escape');
      await expect(second).toBeFocused();
      await opened.getByRole('link', { name: 'Contact Me' }).filter({ visible: true }).click();
      await expect(heading(opened, 'Create Account')).toBeVisible();
      return { visitor, opened };
    });

    const recent = visitor.page.getByRole('region', { name: 'Recently seen' });

    await test.step('The seller changes it', async () => {
      await page.reload();
      await says(page, 'Seen 1 · Saved 0 · Asked 0');
      await page
        .getByRole('link', { name: new RegExp(word) })
        .first()
        .click();
      await expect(heading(page, 'Edit post')).toBeVisible();
      await expect(page.getByLabel('Your own subcategory')).toHaveValue('Podcast');
      await page.getByLabel('Title').fill(`${title}, now cheaper`);
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(toast(page, 'Post saved')).toBeVisible();
      await opened.goto(link);
      await expect(heading(opened, `${title}, now cheaper`)).toBeVisible();
      await visitor.page.goto('/explore');
      await expect(recent.getByRole('link', { name: `${title}, now cheaper` })).toBeVisible();
      await whole(visitor.page);
      await expectFits(visitor.page);
      await expectAccessible(visitor.page);
    });

    await test.step('The seller deletes it', async () => {
      await page.getByRole('button', { name: `Delete ${title}, now cheaper` }).click();
      await expect(page.getByRole('alertdialog', { name: 'Are you sure you want to delete this post?' })).toBeVisible();
      await expectAccessible(page);
      await confirm(page, 'Delete the post');
      await says(page, "You haven't created any posts yet.");
      provoke(visitor.context, REFUSED, /status of 404 .*\/posts\//);
      await opened.reload();
      await expect(heading(opened, 'Post not found')).toBeVisible();
      await expect(recent).toBeHidden();
      await expectAccessible(opened);
    });
  });
});
