import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { provoke, REFUSED } from './support/faults';
import { liveAt } from './support/live';
import { type Person, post, wallet } from './support/people';
import { says, stored, toast } from './support/screen';
import { expect, test } from './support/test';

/** Shorter than any polling interval with a connection. */
const AT_ONCE = { timeout: 20_000 };

async function report(person: Person, amount: number): Promise<string> {
  const transactionId = randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();
  const body = { amount, transactionId, paymentMethod: 'Nagad' };
  return (await post<{ deposit: { _id: string } }>(person, '/auth/deposit', body)).deposit._id;
}

/** Opens a review, which claims its row. */
const claimed = (page: Page, open: () => Promise<unknown>) => stored(page, /\/claim$/, open);

test('two admins share the queue: one sees what the other is on, and a large credit takes both', async ({
  newcomer,
  signedIn,
}) => {
  const [first, second] = [await signedIn('admin'), await signedIn('sadia')];
  const user = await newcomer('rafiq');
  const deposit = await report(user, 45);
  await liveAt(second, '/admin/deposit');
  const row = second.page.getByRole('row', { name: new RegExp(user.name) });
  const drawer = second.page.getByRole('dialog');
  await expect(row).toBeVisible();

  await test.step('The second cannot act on what the first is on, and sees at once when it is done', async () => {
    await claimed(first.page, () => first.page.goto(`/admin/deposit?review=${deposit}`));
    await expect(row.getByText('admin is on it')).toBeVisible(AT_ONCE);
    provoke(second.context, REFUSED);
    await row.getByRole('link').click();
    await expect(drawer.getByText(/^admin is working on it, until/)).toBeVisible();
    await expect(drawer.getByRole('button', { name: /^(Approve|Reject)/ })).toHaveCount(0);
    await first.page.getByRole('button', { name: 'Approve $45.00' }).click();
    await expect(toast(first.page, 'Balance updated successfully')).toBeVisible();
    await expect(row).toHaveCount(0, AT_ONCE);
    expect(await wallet(user)).toBe('45.00');
    await expectAccessible(second.page);
    await second.page.keyboard.press('Escape');
  });

  await test.step('A large credit moves when the second has confirmed it', async () => {
    const large = await report(user, 1500);
    await expect(row).toBeVisible(AT_ONCE);
    await claimed(first.page, () => first.page.goto(`/admin/deposit?review=${large}`));
    const rate = (await (await user.context.request.get('/api/exchange-rate')).json()) as { usdToBdt: number };
    const taka = String(1500 * Math.ceil(rate.usdToBdt));
    await first.page.getByLabel('Taka received').fill(taka);
    await first.page.getByRole('button', { name: 'Approve $1,500.00' }).click();
    await expect(toast(first.page, 'A second admin has to confirm this credit.')).toBeVisible();
    await says(first.page.getByRole('dialog'), `Proposed: $1,500.00 → ${user.name}. Another admin has to confirm it.`);
    expect(await wallet(user)).toBe('45.00');
    await expect(row.getByText('To confirm')).toBeVisible(AT_ONCE);
    await claimed(second.page, () => row.getByRole('link').click());
    await says(drawer, 'admin wants to credit $1,500.00. A second admin has to confirm it.');
    await expectAccessible(second.page);
    await drawer.getByLabel('Taka received').fill(taka);
    await drawer.getByRole('button', { name: 'Confirm $1,500.00' }).click();
    await expect(toast(second.page, 'Balance updated successfully')).toBeVisible();
    expect(await wallet(user)).toBe('1545.00');
  });
});
