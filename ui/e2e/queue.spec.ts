import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { provoke, REFUSED } from './support/faults';
import { hearNothing, leaveUnasked, liveAt } from './support/live';
import { breakOff } from './support/network';
import { confirmWithdrawal, type Person, post, verifyAddress, wallet } from './support/people';
import { says, toast } from './support/screen';
import { expect, test } from './support/test';

/** Sooner than any page asks by itself while it has a connection; only the bell asks more often (`leaveUnasked`). */
const AT_ONCE = { timeout: 20_000 };

async function report(person: Person, amount: number): Promise<string> {
  const transactionId = randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();
  const body = { amount, transactionId, paymentMethod: 'Nagad' };
  return (await post<{ deposit: { _id: string } }>(person, '/auth/deposit', body)).deposit._id;
}

/** Opens a review, which claims its row. */
async function claimed(page: Page, open: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForResponse(/\/claim$/), open()]);
}

test.describe('two admins on one request', () => {
  test('see who is on it; the other cannot act, and sees at once when it is done', async ({ newcomer, signedIn }) => {
    const [first, second] = [await signedIn('admin'), await signedIn('sadia')];
    const user = await newcomer('rafiq');
    const deposit = await report(user, 45);
    await liveAt(second, '/admin/deposit');
    const row = second.page.getByRole('row', { name: new RegExp(user.name) });
    await expect(row).toBeVisible();
    await claimed(first.page, () => first.page.goto(`/admin/deposit?review=${deposit}`));
    await expect(row.getByText('admin is on it')).toBeVisible(AT_ONCE);

    provoke(second.context, REFUSED);
    await row.getByRole('link').click();
    const drawer = second.page.getByRole('dialog');
    await expect(drawer.getByText(/^admin is working on it, until/)).toBeVisible();
    await expect(drawer.getByRole('button', { name: /^(Approve|Reject)/ })).toHaveCount(0);
    await first.page.getByRole('button', { name: 'Approve $45.00' }).click();
    await expect(toast(first.page, 'Balance updated successfully')).toBeVisible();
    await expect(row).toHaveCount(0, AT_ONCE);
    expect(await wallet(user)).toBe('45.00');
    await expectAccessible(second.page);
  });
});

test.describe('a large credit', () => {
  test('moves when a second admin has confirmed it', async ({ newcomer, signedIn }) => {
    const [first, second] = [await signedIn('admin'), await signedIn('sadia')];
    const user = await newcomer('shirin');
    const deposit = await report(user, 1500);
    await liveAt(second, '/admin/deposit');
    const row = second.page.getByRole('row', { name: new RegExp(user.name) });
    await expect(row).toBeVisible();
    await claimed(first.page, () => first.page.goto(`/admin/deposit?review=${deposit}`));
    await first.page.getByRole('button', { name: 'Approve $1,500.00' }).click();
    await expect(toast(first.page, 'A second admin has to confirm this credit.')).toBeVisible();
    await says(first.page.getByRole('dialog'), 'Proposed. Another admin has to confirm $1,500.00.');
    expect(await wallet(user)).toBe('0.00');

    await expect(row.getByText('To confirm')).toBeVisible(AT_ONCE);
    await claimed(second.page, () => row.getByRole('link').click());
    const drawer = second.page.getByRole('dialog');
    await says(drawer, 'admin wants to credit $1,500.00. A second admin has to confirm it.');
    await expectAccessible(second.page);
    await drawer.getByRole('button', { name: 'Confirm $1,500.00' }).click();
    await expect(toast(second.page, 'Balance updated successfully')).toBeVisible();
    expect(await wallet(user)).toBe('1500.00');
  });
});

test.describe('two windows on one request', () => {
  test('credit it once: the second is told who was first, and the user sees it at once', async ({ newcomer, signedIn }) => {
    const [first, second] = [await signedIn('admin'), await signedIn('admin')];
    const user = await newcomer('nusrat', { width: 360 });
    const deposit = await report(user, 60);
    await leaveUnasked(user.page);
    await liveAt(user, '/balance');
    await hearNothing(second.page);
    // Nor does the second window ask by itself.
    const askNothing = () => breakOff(second.page, '**/api/admin/deposits?*');
    const approve = async ({ page }: Person) => {
      await claimed(page, () => page.goto(`/admin/deposit?review=${deposit}`));
      const drawer = page.getByRole('dialog');
      await expect(drawer.getByText(/^Reserved for you until/)).toBeVisible();
      return drawer.getByRole('button', { name: 'Approve $60.00' });
    };
    const [one, other] = [await approve(first), await approve(second)];
    await askNothing();
    await one.click();
    await expect(toast(first.page, 'Balance updated successfully')).toBeVisible();
    await expect(user.page.locator('[data-slot="balance"]')).toHaveText('$60.00', AT_ONCE);
    await expect(user.page.getByRole('button', { name: 'Notifications, some unread' })).toBeVisible(AT_ONCE);
    await says(user.page, 'completed');

    provoke(second.context, REFUSED);
    await other.click();
    await expect(toast(second.page, 'Already handled by admin')).toBeVisible();
    await says(second.page.getByRole('dialog'), /^Already handled by admin/);
    await expect(second.page.getByRole('button', { name: /^Approve/ })).toHaveCount(0);
    await expectAccessible(second.page);
    expect(await wallet(user)).toBe('60.00');
  });

  test('send it or give it back, never both', async ({ newcomer, signedIn }) => {
    const [first, second] = [await signedIn('admin'), await signedIn('admin')];
    const user = await newcomer('tanvir');
    const deposit = await report(user, 80);
    await post(first, `/admin/deposit/approve/${deposit}`, { amount: 80, userId: user.id });
    await verifyAddress(user);
    await post(user, '/withdraw', { amount: 50, phonenumber: '01712345678', paymentMethod: 'Bkash' });
    await confirmWithdrawal(user);
    for (const { page } of [first, second]) {
      await hearNothing(page);
      await page.goto('/admin/withdrawal');
      const row = page.getByRole('link', { name: new RegExp(user.name) }).first();
      await claimed(page, () => row.click());
      await expect(page.getByRole('dialog').getByText(/^Reserved for you until/)).toBeVisible();
      await breakOff(page, '**/api/admin/withdrawals?*');
    }
    await first.page.getByRole('button', { name: 'Send $50.00' }).click();
    await expect(toast(first.page, 'Withdrawal sent successfully. Balance updated.')).toBeVisible();
    provoke(second.context, REFUSED);
    const drawer = second.page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Reject' }).click();
    await second.page
      .getByRole('alertdialog')
      .getByRole('button', { name: /Reject/ })
      .click();
    await expect(toast(second.page, 'Already handled by admin')).toBeVisible();
    expect(await wallet(user)).toBe('30.00');
  });
});
