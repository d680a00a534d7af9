import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { type Person, post, wallet } from './support/people';
import { says, toast } from './support/screen';
import { expect, test } from './support/test';

const trx = () => randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();

type Report = { amount: number; paymentMethod?: 'Bkash' | 'Nagad'; transactionId?: string };

/** What a test has reported and may not have been handled. */
const reported: { person: Person; id: string }[] = [];

async function report(person: Person, { amount, paymentMethod = 'Bkash', transactionId = trx() }: Report): Promise<string> {
  const body = { amount, transactionId, paymentMethod };
  const { deposit } = await post<{ deposit: { _id: string } }>(person, '/auth/deposit', body);
  reported.push({ person, id: deposit._id });
  return deposit._id;
}

test.afterEach(async () => {
  // Other tests look for their own on the first page of the queue. One that was handled is refused.
  for (const { person, id } of reported.splice(0)) await person.context.request.post(`/api/deposits/${id}/retract`);
});

const rows = (page: Page) => page.getByRole('table', { name: 'Deposits' }).locator('tbody tr');
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'TrxID, user or amount' });
/** The figure under a name, over the list. */
const figure = (page: Page, name: string) => page.locator('dt', { hasText: name }).locator('+ dd');

/** Types into the search box, which the key leads to, and waits for the rows. */
async function search(page: Page, text: string, count: number): Promise<void> {
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('/');
  await expect(searchBox(page)).toBeFocused();
  await searchBox(page).fill(text);
  await expect(page).toHaveURL((url) => url.searchParams.has('search'));
  await expect(rows(page)).toHaveCount(count);
}

test('the queue is searched by transaction ID, user and amount, filtered, sorted, and its address kept', async ({
  admin,
  newcomer,
}) => {
  const { page } = admin;
  const first = await newcomer('zinnat');
  const second = await newcomer('zubair');
  const [id, other] = [trx(), trx()];
  const odd = 73 + Math.round(Math.random() * 90) / 100;
  await report(first, { amount: odd, transactionId: id });
  await report(second, { amount: 18, paymentMethod: 'Nagad', transactionId: other });
  await report(second, { amount: 29 });
  await page.goto('/admin/deposit');
  await expect(rows(page).first()).toBeVisible();

  await search(page, id.slice(0, 7).toLowerCase(), 1);
  await expect(rows(page)).toContainText(first.name);
  await search(page, second.name.slice(0, -1), 2);
  await expect(figure(page, 'Found')).toHaveText('2');
  await expect(figure(page, 'Sum')).toHaveText('$47.00');
  await expectAccessible(page);

  await page.getByLabel('Order').selectOption('Largest first');
  await expect(rows(page).first()).toContainText('$29.00');
  await page.getByLabel('Method').selectOption('Nagad');
  await expect(rows(page)).toHaveCount(1);
  await expect(figure(page, 'Sum')).toHaveText('$18.00');
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByLabel('Method')).toHaveValue('Nagad');
  await expect(page.getByLabel('Order')).toHaveValue('largest');

  await page.goto('/admin/deposit');
  await search(page, `$${odd.toFixed(2)}`, 1);
  await expect(rows(page)).toContainText(id);
  await searchBox(page).fill('zzzzzzzz');
  await says(page, 'No deposits match.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(rows(page).first()).toBeVisible();
});

test('15 rows and more are in view at 1280 × 800, and comfortable ones where that is wanted', async ({ signedIn, newcomer }) => {
  const { page } = await signedIn('admin', { width: 1280, height: 800 });
  const people = [
    await newcomer('ayesha'),
    await newcomer('bilkis'),
    await newcomer('chandan'),
    await newcomer('dipa'),
    await newcomer('emon'),
  ];
  for (const person of people) for (const amount of [11, 12, 13]) await report(person, { amount });
  await page.goto('/admin/deposit?sort=newest');
  await expect(rows(page).nth(14)).toBeVisible();
  const inView = await rows(page).evaluateAll(
    (all) =>
      all.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight && row.getBoundingClientRect().top > 0).length,
  );
  expect(inView).toBeGreaterThanOrEqual(15);
  await expectAccessible(page);
  await expectFits(page);

  await page.getByRole('button', { name: 'Compact rows' }).click();
  await says(page, `${people[4]?.name ?? ''}@example.com`);
  await expect(rows(page)).toHaveCount(10);
  await page.reload();
  await says(page, `${people[4]?.name ?? ''}@example.com`);
});

test('the queue is comfortable on a phone', async ({ signedIn, newcomer }) => {
  const { page } = await signedIn('admin', { width: 360, theme: 'dark' });
  const person = await newcomer('farida');
  await report(person, { amount: 14 });
  await page.goto('/admin/deposit?sort=newest');
  await says(page, `${person.name}@example.com`);
  await expect(page.getByRole('button', { name: 'Compact rows' })).toBeHidden();
  await expectAccessible(page);
  await expectFits(page);
});

test('a credit is typed in taka, and the next deposit opens', async ({ admin, newcomer }) => {
  const { page } = admin;
  const person = await newcomer('nusrat');
  const [short, next] = [await report(person, { amount: 50 }), await report(person, { amount: 60 })];
  await page.goto(`/admin/deposit?search=${person.name}&review=${short}`);
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText(/^Reserved for you until/)).toBeVisible();
  const taka = drawer.getByLabel('Taka received');
  const rate = Number(await taka.inputValue()) / 50;
  await taka.fill(String(rate * 48));
  await expect(drawer.getByLabel('Amount to credit')).toHaveValue('48.00');
  await drawer.getByLabel('Type the taka again').fill(String(rate * 48));
  await drawer.getByLabel(/^Reason/).fill('bKash shows less.');
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Approve $48.00' }).click();
  await expect(toast(page, 'Balance updated successfully')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`review=${next}`));
  await says(drawer, `The one before: $48.00 is in ${person.name}’s balance.`);
  expect(await wallet(person)).toBe('48.00');

  await expect(drawer.getByText(/^Reserved for you until/)).toBeVisible();
  await page.keyboard.press('r');
  const question = page.getByRole('alertdialog');
  await expect(question).toBeVisible();
  await page.keyboard.press('3');
  await expect(question.getByRole('radio', { name: /^Used before/ })).toBeChecked();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Deposit rejected successfully')).toBeVisible();
  await person.page.goto(`/balance/deposits/${next}`);
  await says(person.page, 'This payment has been credited before.');
});
