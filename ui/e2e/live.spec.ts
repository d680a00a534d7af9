import type { Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { provoke, REFUSED } from './support/faults';
import { leaveUnasked, lineOf, liveAt } from './support/live';
import { fund, type Person, post } from './support/people';
import { act, hold, says, toast } from './support/screen';
import { expect, test } from './support/test';

/** Sooner than any page asks by itself while it has a connection; only the bell asks more often (`leaveUnasked`). */
const AT_ONCE = { timeout: 20_000 };

const BANNER = /^Live updates are interrupted/;
const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Reports a deposit of so many dollars. */
async function report(person: Person, amount: number): Promise<string> {
  const transactionId = `L${Date.now().toString(36).slice(-8).toUpperCase()}`;
  const { deposit } = await post<{ deposit: { _id: string } }>(person, '/auth/deposit', {
    amount,
    transactionId,
    paymentMethod: 'Bkash',
  });
  return deposit._id;
}

const approve = (admin: Person, deposit: string, amount: number, user: Person) =>
  post(admin, `/admin/deposit/approve/${deposit}`, { amount, userId: user.id });

/** The deal on the page says at once that its seller has delivered. */
const seesDelivery = (page: Page, seller: string) =>
  expect(
    page
      .getByRole('main')
      .getByText(new RegExp(`${seller} delivered`))
      .first(),
  ).toBeVisible(AT_ONCE);

test.describe('without a reload', () => {
  test('a deposit comes to the queue, and its approval to the balance and the bell', async ({ newcomer, admin }) => {
    const user = await newcomer('nusrat', { width: 360 });
    await liveAt(admin, '/admin/deposit');
    await leaveUnasked(user.page);
    await liveAt(user, '/balance');
    await says(user.page.getByRole('main'), '$0.00');
    const deposit = await report(user, 120);
    await expect(admin.page.locator(`#row-${deposit}`)).toBeVisible(AT_ONCE);
    await approve(admin, deposit, 120, user);
    await expect(admin.page.locator(`#row-${deposit}`)).toHaveCount(0, AT_ONCE);
    await expect(user.page.locator('[data-slot="balance"]')).toHaveText('$120.00', AT_ONCE);
    await says(user.page, 'completed');

    await bell(user.page, 'Notifications, some unread').click();
    const panel = user.page.getByRole('dialog', { name: 'Notifications' });
    await says(panel, 'Your deposit of $120.00 is in your balance.');
    await expectAccessible(user.page);
    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await panel.getByRole('button', { name: 'Close' }).click();
    await expect(bell(user.page, 'Notifications')).toBeVisible();
  });

  test('a request under review says who handled it, as soon as somebody did', async ({ newcomer, admin }) => {
    const user = await newcomer('nusrat');
    const deposit = await report(user, 35);
    await liveAt(admin, `/admin/deposit?review=${deposit}`);
    const drawer = admin.page.getByRole('dialog');
    await expect(drawer.getByText(/^Reserved for you until/)).toBeVisible();
    provoke(admin.context, REFUSED);
    await post(admin, `/admin/deposit/reject/${deposit}`, { reason: 'No such transaction' });
    await expect(drawer.getByText(/^Already handled by admin/)).toBeVisible(AT_ONCE);
    await expect(drawer.getByRole('button', { name: /^Approve/ })).toHaveCount(0);
  });

  test('each sees what the other does with their deal', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 300);
    const { path } = await paid(buyer, seller, { price: 250 });
    await liveAt(buyer, path);
    await leaveUnasked(seller.page);
    await liveAt(seller, path);
    await hold(buyer.page, 'Amanat holds $250.00');
    await act(seller.page, 'Mark as delivered');
    await expect(toast(seller.page, 'Seller has delivered the deal')).toBeVisible();
    await seesDelivery(buyer.page, seller.name);
    await expectAccessible(buyer.page);
    await act(buyer.page, 'Release $250.00');
    await expect(toast(buyer.page, 'Deal marked as completed')).toBeVisible();
    await expect(seller.page.getByText('released the money, and $245.00 went to your balance').first()).toBeVisible(AT_ONCE);
    await expect(bell(seller.page, 'Notifications, some unread')).toBeVisible(AT_ONCE);
  });

  test('the dashboard has what is new, and a notification leads to it', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 80);
    await leaveUnasked(seller.page);
    await liveAt(seller, '/dashboard');
    const deal = await paid(buyer, seller, { price: 75, description: 'Ten logos for a tea house' });
    await expect(seller.page.getByText('Ten logos for a tea house').filter({ visible: true }).first()).toBeVisible(AT_ONCE);
    await bell(seller.page, 'Notifications, some unread').click();
    const panel = seller.page.getByRole('dialog', { name: 'Notifications' });
    await panel.getByRole('link', { name: new RegExp(`${buyer.name} paid \\$75.00 into escrow`) }).click();
    await seller.page.waitForURL(`**${deal.path}`);
    await hold(seller.page, 'Amanat holds $75.00');
  });
});

test.describe('a connection that is lost', () => {
  test('is said after a while, and what happened meanwhile comes with the next one', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 60);
    const { path } = await paid(buyer, seller, { price: 50 });
    const line = await lineOf(buyer.page);
    await line.liveAt(path);
    await line.cut();
    await expect(buyer.page.getByText(BANNER)).toBeVisible();
    await expectAccessible(buyer.page);
    await post(seller, `/deals/deliver/${path.split('/').at(-1) ?? ''}`);
    line.mend();
    await expect(buyer.page.getByText(BANNER)).toHaveCount(0);
    await seesDelivery(buyer.page, seller.name);
  });

  test('is no loss: the page asks by itself', async ({ newcomer, admin }) => {
    const user = await newcomer('nusrat');
    const line = await lineOf(user.page);
    const deposit = await report(user, 40);
    await line.liveAt('/balance');
    await line.cut();
    await expect(user.page.getByText(BANNER)).toBeVisible();
    await approve(admin, deposit, 40, user);
    await expect(user.page.locator('[data-slot="balance"]')).toHaveText('$40.00', { timeout: 35_000 });
    await expect(user.page.getByText(BANNER)).toBeVisible();
    await expect(bell(user.page, 'Notifications, some unread')).toBeVisible();
  });
});
