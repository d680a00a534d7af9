import { saved as bangla } from '@/i18n/bn/saved';
import { notifications } from '@/i18n/bn/shell';
import { expectAccessible, expectFits } from './support/checks';
import { DEMO_PASSWORD, post } from './support/people';
import { heading, whole } from './support/screen';
import { expect, test } from './support/test';

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
  await heart.click();
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
