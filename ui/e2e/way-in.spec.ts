import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { DEMO_PASSWORD, type Person, post } from './support/people';
import { heading, says } from './support/screen';
import { expect, test } from './support/test';

const unique = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 5)}`;

async function offer(seller: Person, title: string): Promise<string> {
  const { _id } = await post(seller, '/posts', {
    ...{ title, description: 'Since 2019.', price: 480, category: 'Online Asset', subcategory: 'Facebook Page' },
    ...{ image: '', tags: [] },
  });
  return _id;
}

const visible = (page: Page, role: 'link' | 'button', name: string | RegExp) =>
  page.getByRole(role, { name }).filter({ visible: true }).first();

/** The number of messages between the two. */
async function messages({ context }: Person): Promise<number> {
  const list = (await (await context.request.get('/api/messages/conversations')).json()) as { _id: string }[];
  const of = await Promise.all(
    list.map(async ({ _id }) => (await (await context.request.get(`/api/messages/${_id}`)).json()) as { messages: unknown[] }),
  );
  return of.reduce((sum, one) => sum + one.messages.length, 0);
}

test('a log-in from a post opens the chat once, and leads back to the post', async ({ visit, seller, newcomer }) => {
  const title = `Page ${unique()}`;
  const id = await offer(seller, title);
  const { name } = await newcomer('rahim');
  const { page } = await visit({ width: 360 });
  await page.goto(`/posts/${id}`);
  await expectFits(page);
  await visible(page, 'link', 'Contact Me').click();
  await says(page, new RegExp(title));
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await says(page, new RegExp(title));
  // The sign-up form has fields of the same names, and stays until the login form is there.
  const login = page.getByRole('main').getByRole('button', { name: 'Login', exact: true });
  await expect(login).toBeVisible();
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await login.click();
  await page.waitForURL('**/inbox/*');
  await expect(visible(page, 'link', /^About this post/)).toContainText(title);
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeInViewport();
  await expectAccessible(page);
  await expectFits(page);

  await page.goBack();
  await expect(heading(page, title)).toBeVisible();
  await page.reload();
  await expect(heading(page, title)).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  expect(await messages(seller)).toBe(1);

  await visible(page, 'button', 'Make a deal').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: title })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Change' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Description' })).toHaveValue(`${title}\n\nSince 2019.`);
  await expectAccessible(page);
});

test('the post and the deal of a conversation fit above it on a phone', { tag: '@soak' }, async ({ buyer, seller }) => {
  const title = `Page ${unique()}`;
  const id = await offer(seller, title);
  await post(buyer, '/messages/send-or-start', { receiverId: seller.id, postId: id });
  await post(buyer, '/deals/create', {
    ...{ price: 480, description: title, deliveryDuration: 7, inspectionDays: 10, buyerId: buyer.id, sellerId: seller.id },
  });
  const { page } = seller;
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/inbox');
  await page
    .getByRole('link', { name: new RegExp(buyer.name) })
    .first()
    .click();
  await expect(visible(page, 'link', /^About this post/)).toContainText(title);
  await expect(visible(page, 'link', new RegExp(`Your deal with ${buyer.name}`))).toBeVisible();
  await expect(visible(page, 'button', 'Make a deal')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeInViewport();
  await expectFits(page);
  await expectAccessible(page);
});
