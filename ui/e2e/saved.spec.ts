import { saved as bangla } from '@/i18n/bn/saved';
import { notifications } from '@/i18n/bn/shell';
import { expectAccessible, expectFits } from './support/checks';
import { DEMO_PASSWORD, post } from './support/people';
import { heading, stored, whole } from './support/screen';
import { expect, test } from './support/test';

const SAVED = /\/saved(\/|$)/;
const TITLE = 'বইয়ের দোকানের পেজ';
const offer = (price: number) => ({
  ...{ title: TITLE, description: 'দুই বছরের পুরোনো।', price, category: 'Online Asset', subcategory: 'Facebook Page' },
});
const save = `${TITLE} ${bangla.saveOf.replace('{title} ', '')}`;

test('a buyer saves a post on a phone and hears of its lower price', async ({ newcomer }) => {
  const seller = await newcomer('tanvir');
  const { page, context } = await newcomer('nusrat', { language: 'bn', width: 360, height: 740 });
  await context.request.put('/api/auth/language', { data: { language: 'bn' } });
  const published = await post(seller, '/posts', offer(500));

  await page.goto(`/profile/${seller.name}`);
  const heart = page.getByRole('button', { name: save });
  await stored(page, SAVED, () => heart.click());
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await whole(page);
  await expectAccessible(page);
  await page.goto('/saved');
  await expect(heading(page, bangla.title)).toBeVisible();
  await expect(page.getByRole('link', { name: TITLE })).toBeVisible();

  await seller.context.request.put(`/api/posts/${published._id}`, { data: offer(400) });
  await page.getByRole('button', { name: notifications.unread }).click();
  await page.getByRole('link', { name: /\$৫০০.*\$৪০০/ }).click();
  await expect(heading(page, TITLE)).toBeVisible();
  await expect(page.getByRole('button', { name: bangla.save })).toHaveAttribute('aria-pressed', 'true');
  await page.goto('/saved');
  await expect(page.getByText('আগে ছিল $৫০০')).toBeVisible();
  await whole(page);
  await expectFits(page);
  await expectAccessible(page);
});

test('a visitor who presses the heart logs in and has the post saved', async ({ newcomer, visit }) => {
  const seller = await newcomer('tanvir');
  const { name } = await newcomer('rahim');
  await post(seller, '/posts', offer(500));
  const { page } = await visit({ width: 360 });
  await page.goto(`/profile/${seller.name}`);
  await page.getByRole('button', { name: `Save ${TITLE}` }).click();
  const login = page.getByRole('main').getByRole('button', { name: 'Login', exact: true });
  await expect(login).toBeVisible();
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await login.click();
  await expect(heading(page, TITLE)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-pressed', 'true');
});

test('a buyer saves a search on a phone, changes how often they are told, and removes it', async ({ newcomer }) => {
  const { page } = await newcomer('nusrat', { width: 360, height: 740 });
  await page.goto('/explore?search=bakery&category=Online+Asset&max=500');
  const bell = page.getByRole('button', { name: 'Save this search' });
  await bell.click();
  await expect(bell).toHaveAttribute('aria-pressed', 'true');
  await whole(page);
  await expectFits(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Saved searches' }).click();
  await expect(heading(page, 'Saved searches')).toBeVisible();
  const words = '“bakery” · Online Asset · Up to $500';
  await stored(page, SAVED, () => page.getByLabel(`How often: ${words}`).selectOption('Within 15 minutes'));
  await whole(page);
  await expectFits(page);
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByLabel(`How often: ${words}`)).toHaveValue('soon');
  await page.getByRole('link', { name: words }).click();
  await expect(bell).toHaveAttribute('aria-pressed', 'true');
  await page.goBack();
  await stored(page, SAVED, () => page.getByRole('button', { name: `Save the search ${words}` }).click());
  await expect(page.getByLabel(`How often: ${words}`)).toBeDisabled();
  await page.reload();
  await expect(page.getByText('You have no saved searches.')).toBeVisible();
});

test('a visitor who saves a search logs in and has it saved', async ({ newcomer, visit }) => {
  const { name } = await newcomer('rahim');
  const { page } = await visit({ width: 360 });
  await page.goto('/explore?search=bakery&max=500');
  const bell = page.getByRole('button', { name: 'Save this search' });
  await bell.click();
  const login = page.getByRole('main').getByRole('button', { name: 'Login', exact: true });
  await expect(login).toBeVisible();
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await login.click();
  await expect(bell).toHaveAttribute('aria-pressed', 'true');
  await expect(page).not.toHaveURL(/next=/);
});
