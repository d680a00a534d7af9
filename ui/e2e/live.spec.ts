import type { Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { leaveUnasked, lineOf, liveAt } from './support/live';
import { fund, post } from './support/people';
import { act, hold, says, toast } from './support/screen';
import { expect, test } from './support/test';

/** Shorter than any polling interval with a connection, except the bell's (`leaveUnasked`). */
const AT_ONCE = { timeout: 20_000 };

const BANNER = /^Live updates are interrupted/;
const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a deposit comes to the queue, and its approval to the balance and the bell, without a reload', async ({
  newcomer,
  admin,
}) => {
  const user = await newcomer('nusrat', { width: 360 });
  await liveAt(admin, '/admin/deposit');
  await leaveUnasked(user.page);
  await liveAt(user, '/balance');
  await says(user.page.getByRole('main'), '$0.00');
  const transactionId = `L${Date.now().toString(36).slice(-8).toUpperCase()}`;
  const report = { amount: 120, transactionId, paymentMethod: 'Bkash' };
  const { deposit } = await post<{ deposit: { _id: string } }>(user, '/auth/deposit', report);
  const row = admin.page.getByRole('row', { name: transactionId });
  await expect(row).toBeVisible(AT_ONCE);
  await post(admin, `/admin/deposit/approve/${deposit._id}`, { amount: 120, userId: user.id });
  await expect(row).toHaveCount(0, AT_ONCE);
  await expect(user.page.getByRole('status', { name: 'Your balance' })).toHaveText('$120.00', AT_ONCE);
  await says(user.page.getByRole('row', { name: /^Deposit/ }), '+ 120.00');

  await bell(user.page, 'Notifications, some unread').click();
  const panel = user.page.getByRole('dialog', { name: 'Notifications' });
  await says(panel, 'Your deposit of $120.00 is in your balance.');
  await expectAccessible(user.page);
  await panel.getByRole('button', { name: 'Mark all as read' }).click();
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect(bell(user.page, 'Notifications')).toBeVisible();
});

test('each sees what the other does with their deal, at once or when a lost connection is back', async ({
  buyer,
  seller,
  admin,
}) => {
  await fund(admin, buyer, 300);
  const { path } = await paid(buyer, seller, { price: 250 });
  const line = await lineOf(buyer.page);
  await line.liveAt(path);
  await leaveUnasked(seller.page);
  await liveAt(seller, path);
  await hold(buyer.page, 'Amanat holds $250.00');

  await test.step('What happened while the line was cut comes with the next one', async () => {
    await line.cut();
    await expect(buyer.page.getByText(BANNER)).toBeVisible();
    await expectAccessible(buyer.page);
    await act(seller.page, 'Mark as delivered');
    await expect(toast(seller.page, 'Seller has delivered the deal')).toBeVisible();
    line.mend();
    await expect(buyer.page.getByText(BANNER)).toHaveCount(0);
    const delivered = new RegExp(`${seller.name} delivered`);
    await expect(buyer.page.getByRole('main').getByText(delivered).first()).toBeVisible(AT_ONCE);
    await expectAccessible(buyer.page);
  });

  await test.step('What happens on a whole line comes at once', async () => {
    await act(buyer.page, 'Release $250.00');
    await expect(toast(buyer.page, 'Deal marked as completed')).toBeVisible();
    await expect(seller.page.getByText('released the money, and $245.00 went to your balance').first()).toBeVisible(AT_ONCE);
    await expect(bell(seller.page, 'Notifications, some unread')).toBeVisible(AT_ONCE);
  });
});
