import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { DEMO_PASSWORD, type Person, post } from './support/people';
import { heading, says } from './support/screen';
import { expect, test } from './support/test';

const unique = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 5)}`;

/** A post of the seller. */
async function offer(seller: Person, title: string): Promise<string> {
  const { _id } = await post(seller, '/posts', {
    ...{ title, description: 'Since 2019.', price: 480, category: 'Online Asset', subcategory: 'Facebook Page' },
    ...{ image: '', tags: [] },
  });
  return _id;
}

const visible = (page: Page, role: 'link' | 'button', name: string | RegExp) =>
  page.getByRole(role, { name }).filter({ visible: true }).first();

/** What was written between the two. */
async function messages({ context }: Person): Promise<number> {
  const list = (await (await context.request.get('/api/messages/conversations')).json()) as { _id: string }[];
  const of = await Promise.all(
    list.map(async ({ _id }) => (await (await context.request.get(`/api/messages/${_id}`)).json()) as { messages: unknown[] }),
  );
  return of.reduce((sum, one) => sum + one.messages.length, 0);
}

const ENGLISH = {
  ...{ contact: 'Contact Me', toLogin: 'Log in', username: 'Username', password: 'Password', login: 'Login' },
  ...{ deal: 'Make a deal', description: 'Description' },
};
const BANGLA = {
  ...{ contact: 'যোগাযোগ করুন', toLogin: 'লগ ইন করুন', username: 'ইউজারনেম', password: 'পাসওয়ার্ড', login: 'লগ ইন' },
  ...{ deal: 'ডিল করুন', description: 'বিবরণ' },
};

for (const [look, words] of [
  [{ width: 360 }, ENGLISH],
  [{ width: 1280, language: 'bn', theme: 'dark' }, BANGLA],
] as const) {
  test(`a log-in from a post opens the chat once, in ${JSON.stringify(look)}`, async ({ visit, seller, newcomer }) => {
    const title = `Page ${unique()}`;
    const id = await offer(seller, title);
    const { name } = await newcomer('rahim');
    const { page } = await visit(look);
    await page.goto(`/posts/${id}`);
    await expectFits(page);
    await visible(page, 'link', words.contact).click();
    await says(page, new RegExp(title));
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: words.toLogin }).click();
    await says(page, new RegExp(title));
    // The sign-up has fields of the same names, which stay until the form of the log-in has come.
    const login = page.getByRole('main').getByRole('button', { name: words.login, exact: true });
    await expect(login).toBeVisible();
    await page.getByLabel(words.username).fill(name);
    await page.getByLabel(words.password, { exact: true }).fill(DEMO_PASSWORD);
    await login.click();
    await page.waitForURL('**/inbox/*');
    const strip = page.locator('[data-slot="post-strip"]');
    await expect(strip).toContainText(title);
    await expectAccessible(page);
    await expectFits(page);

    await page.goBack();
    await expect(heading(page, title)).toBeVisible();
    await page.reload();
    await expect(heading(page, title)).toBeVisible();
    expect(new URL(page.url()).search).toBe('');
    expect(await messages(seller)).toBe(1);

    await visible(page, 'button', words.deal).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('textbox', { name: words.description })).toHaveValue(`${title}\n\nSince 2019.`);
    await expectAccessible(page);
  });
}

test('the post and the deal of a conversation fit above it on a phone', async ({ buyer, seller }) => {
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
  await expect(page.locator('[data-slot="post-strip"]')).toContainText(title);
  await expect(visible(page, 'link', new RegExp(`Your deal with ${buyer.name}`))).toBeVisible();
  await expect(visible(page, 'button', 'Make a deal')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeInViewport();
  await expectFits(page);
  await expectAccessible(page);
});

test('"Create a post" leads a visitor through the sign-up to the form', async ({ visit }) => {
  const { page } = await visit({ width: 360 });
  await page.goto('/posts/create');
  await says(page, 'Next: your post.');
  await page.getByRole('main').getByRole('link', { name: 'Create Account' }).click();
  // The log-in has a field of the same name, which stays until the form of the sign-up has come.
  await expect(heading(page, 'Create Account')).toBeVisible();
  const name = `tania${unique()}`;
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Email').fill(`${name}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(heading(page, 'Create a post')).toBeVisible();
});

for (const [look, title, deal] of [
  [{ width: 360, theme: 'dark' }, 'What would you like to do?', /^I have a deal/],
  [{ width: 1280, language: 'bn' }, 'কী করতে চান?', /^ডিল ঠিক হয়ে আছে/],
] as const) {
  test(`the first dashboard asks where to begin, in ${JSON.stringify(look)}`, async ({ newcomer }) => {
    const { page } = await newcomer('rahim', look);
    await page.goto('/dashboard');
    await says(page, title);
    await expectAccessible(page);
    await expectFits(page);
    await visible(page, 'button', deal).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  });
}
