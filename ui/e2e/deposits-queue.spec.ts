import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { fund, type Person, post, wallet } from './support/people';
import { says, toast } from './support/screen';
import { expect, test } from './support/test';

const trx = () => randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();

/** Deposits of a test that may still be open. */
const reported: { person: Person; id: string }[] = [];

async function report(person: Person, amount: number): Promise<string> {
  const body = { amount, transactionId: trx(), paymentMethod: 'Bkash' };
  const { deposit } = await post<{ deposit: { _id: string } }>(person, '/auth/deposit', body);
  reported.push({ person, id: deposit._id });
  return deposit._id;
}

test.afterEach(async () => {
  // Other tests expect theirs on the first page of the queue. Handled ones refuse.
  for (const { person, id } of reported.splice(0)) await person.context.request.post(`/api/deposits/${id}/retract`);
});

const rows = (page: Page) =>
  page
    .getByRole('table', { name: 'Deposits' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'TrxID, user or amount' });

test('deposits are searched for, one is credited in taka, and the next one opens and is rejected', async ({
  admin,
  newcomer,
}) => {
  const { page } = admin;
  const person = await newcomer('nusrat');
  await fund(admin, person, 1); // until one is credited, there is no other
  await report(person, 50);
  const next = await report(person, 60);
  await page.goto('/admin/deposit');
  await expect(rows(page).first()).toBeVisible();
  await page.keyboard.press('/');
  await expect(searchBox(page)).toBeFocused();
  await searchBox(page).fill(person.name.slice(0, -1));
  await expect(rows(page)).toHaveCount(2);
  await expectAccessible(page);
  await rows(page).filter({ hasText: '$50.00' }).click();
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
  await says(drawer, `Done: $48.00 → ${person.name}`);
  expect(await wallet(person)).toBe('49.00');

  await expect(drawer.getByText(/^Reserved for you until/)).toBeVisible();
  await page.keyboard.press('r');
  const question = page.getByRole('alertdialog');
  await expect(question).toBeVisible();
  await page.keyboard.press('3');
  await expect(question.getByRole('radio', { name: /^Used before/ })).toBeChecked();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Deposit rejected successfully')).toBeVisible();
});
