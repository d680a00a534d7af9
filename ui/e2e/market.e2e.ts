import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launch, visit } from './support/browser';
import { provoke, REFUSED } from './support/faults';
import { newcomer, type Person, post } from './support/people';
import { confirm, heading, says, toast } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** A word that no other post has. */
const unheardOf = () => `z${Math.random().toString(36).slice(2, 10)}`;

/** A picture as a phone's camera leaves it: larger than what is sent. */
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

/** Publishes a post by the API. */
const offer = (seller: Person, title: string) =>
  post(seller, '/posts', {
    ...{ title, description: 'As it stands.', price: 12.5, category: 'Freelance Service', subcategory: 'Writing' },
    ...{ image: '', tags: [] },
  });

/** The titles of the cards on the page. */
const titles = (page: Page) => page.locator('.post__t').allTextContents();

describe('the marketplace', () => {
  it('takes a post from the form to the buyer and away again', async () => {
    const seller = await newcomer(browser, 'tanvir');
    const { page, context } = seller;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const word = unheardOf();
    const title = `Cooking channel ${word}`;

    await page.goto('/MyPosts');
    await says(page, "You haven't created any posts yet.");
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Create a post' }).click();
    await heading(page, 'Create a post').waitFor();
    await fillIn(page, title);
    const file = { name: 'photo.png', mimeType: 'image/png', buffer: await photo(page) };
    await page.getByLabel('Choose a picture').setInputFiles(file);
    await page.getByRole('img', { name: 'The picture of the post' }).waitFor();
    expect(
      await page.getByRole('img', { name: 'The picture of the post' }).evaluate((img: HTMLImageElement) => img.naturalWidth),
    ).toBe(1600);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish' }).click();
    await toast(page, 'Post published').waitFor();
    await heading(page, 'My Services').waitFor();
    const copy = page.getByRole('button', { name: `Copy the link to ${title}` });
    await copy.click();
    await copy.locator('.lucide-check').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await expectAccessible(page);

    // A visitor finds it by its word and opens it in a new tab.
    const visitor = await visit(browser, { width: 360 });
    await visitor.page.goto('/explore');
    await visitor.page.getByRole('searchbox', { name: 'Search posts' }).fill(word);
    const card = visitor.page.getByRole('link', { name: new RegExp(word) });
    await card.waitFor();
    await expect.poll(() => titles(visitor.page)).toEqual([title]);
    await expectAccessible(visitor.page);
    const [opened] = await Promise.all([visitor.context.waitForEvent('page'), card.click()]);
    await heading(opened, title).waitFor();
    expect(opened.url()).toBe(link);
    await says(opened, 'Podcast');
    await expect
      .poll(() => opened.locator('.hero-pic img').evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0);
    await opened.getByRole('button', { name: 'Enlarge the picture' }).click();
    await opened.getByRole('dialog').getByRole('img').waitFor();
    await expectAccessible(opened);
    await opened.keyboard.press('Escape');
    await opened.getByRole('link', { name: 'Contact Me' }).filter({ visible: true }).click();
    await heading(opened, 'Create Account').waitFor();

    // A user writes to its seller.
    const buyer = await newcomer(browser, 'nusrat');
    await buyer.page.goto(link);
    await heading(buyer.page, title).waitFor();
    await says(buyer.page, 'No finished deals yet');
    await expectAccessible(buyer.page);
    await buyer.page.getByRole('button', { name: 'Contact Me' }).filter({ visible: true }).click();
    await buyer.page.waitForURL('**/inbox/*');
    await says(buyer.page, new RegExp(word));

    // The seller changes it, and the page of the buyer has the change.
    await page
      .getByRole('link', { name: new RegExp(word) })
      .first()
      .click();
    await heading(page, 'Edit post').waitFor();
    expect(await page.getByLabel('Your own subcategory').inputValue()).toBe('Podcast');
    await page.getByLabel('Title').fill(`${title}, now cheaper`);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Post saved').waitFor();
    await opened.goto(link);
    await heading(opened, `${title}, now cheaper`).waitFor();

    await page.getByRole('button', { name: `Delete ${title}, now cheaper` }).click();
    await page.getByRole('alertdialog', { name: 'Are you sure you want to delete this post?' }).waitFor();
    await expectAccessible(page);
    await confirm(page, 'Delete the post');
    await says(page, "You haven't created any posts yet.");
    provoke(visitor.context, REFUSED);
    await opened.reload();
    await heading(opened, 'Post not found').waitFor();
    await expectAccessible(opened);
  });

  it('shows people, and each his own settings, at every width', async () => {
    const person = await newcomer(browser, 'anika', { width: 320 });
    await offer(person, 'Texts for a page');
    const { page } = person;
    await page.goto(`/profile/${person.name}`);
    await heading(page, person.name).waitFor();
    await says(page, 'This is how others see you.');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Edit profile' }).click();
    await heading(page, 'Profile').waitFor();
    await says(page, 'This browser');
    const file = { name: 'face.png', mimeType: 'image/png', buffer: await photo(page) };
    await page.getByLabel('Choose a picture').setInputFiles(file);
    await toast(page, 'Profile updated successfully!').waitFor();
    await page.getByRole('button', { name: 'Remove the picture' }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await expectAccessible(page);

    await page.getByLabel('Current password').fill('amanat-demo');
    await page.getByLabel('New password').fill('amanat-demo-2');
    await page.getByRole('button', { name: 'Save the new password' }).click();
    await toast(page, 'Your password has been changed.').waitFor();
    provoke(person.context, REFUSED);
    await page.goto('/profile/nobody-at-all');
    await heading(page, 'User not found').waitFor();
    await expectAccessible(page);
  });
});
