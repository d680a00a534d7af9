import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launch } from './support/browser';
import { market, paid } from './support/deals';
import { provoke, REFUSED } from './support/faults';
import { leaveUnasked, lineOf, liveAt } from './support/live';
import { admin, newcomer, type Person, post } from './support/people';
import { act, hold, says, toast } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

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

const approve = (boss: Person, deposit: string, amount: number, user: Person) =>
  post(boss, `/admin/deposit/approve/${deposit}`, { amount, userId: user.id });

describe('without a reload', () => {
  it('a deposit comes to the queue, and its approval to the balance and the bell', async () => {
    const boss = await admin(browser);
    const user = await newcomer(browser, 'nusrat', { width: 360 });
    await liveAt(boss, '/admin/deposit');
    await leaveUnasked(user.page);
    await liveAt(user, '/balance');
    await says(user.page.getByRole('main'), '$0.00');
    const deposit = await report(user, 120);
    await boss.page.locator(`#row-${deposit}`).waitFor(AT_ONCE);
    await approve(boss, deposit, 120, user);
    await boss.page.locator(`#row-${deposit}`).waitFor({ state: 'detached', ...AT_ONCE });
    await user.page.getByRole('main').getByText('$120.00').first().waitFor(AT_ONCE);
    await says(user.page, 'completed');

    await bell(user.page, 'Notifications, some unread').click();
    const panel = user.page.getByRole('dialog', { name: 'Notifications' });
    await says(panel, 'Your deposit of $120.00 is in your balance.');
    await expectAccessible(user.page);
    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await panel.getByRole('button', { name: 'Close' }).click();
    await bell(user.page, 'Notifications').waitFor();
  });

  it('a request under review says who handled it, as soon as somebody did', async () => {
    const boss = await admin(browser);
    const user = await newcomer(browser, 'nusrat');
    const deposit = await report(user, 35);
    await liveAt(boss, `/admin/deposit?review=${deposit}`);
    const drawer = boss.page.getByRole('dialog');
    await drawer.getByText(/^Yours until/).waitFor();
    provoke(boss.context, REFUSED);
    await post(boss, `/admin/deposit/reject/${deposit}`, { reason: 'No such transaction' });
    await drawer.getByText(/^Already handled by admin/).waitFor(AT_ONCE);
    expect(await drawer.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
  });

  it('each sees what the other does with their deal', async () => {
    const { buyer, seller } = await market(browser, 300);
    const { path } = await paid(buyer, seller, { price: 250 });
    await liveAt(buyer, path);
    await leaveUnasked(seller.page);
    await liveAt(seller, path);
    await hold(buyer.page, 'Amanat holds $250.00');
    await act(seller.page, 'Mark as delivered');
    await toast(seller.page, 'Seller has delivered the deal').waitFor();
    await buyer.page
      .getByRole('main')
      .getByText(new RegExp(`${seller.name} delivered`))
      .first()
      .waitFor(AT_ONCE);
    await expectAccessible(buyer.page);
    await act(buyer.page, 'Release $250.00');
    await toast(buyer.page, 'Deal marked as completed').waitFor();
    await seller.page.getByText('released the money, and $245.00 went to your balance').first().waitFor(AT_ONCE);
    await bell(seller.page, 'Notifications, some unread').waitFor(AT_ONCE);
  });

  it('the dashboard has what is new, and a notification leads to it', async () => {
    const { buyer, seller } = await market(browser, 80);
    await leaveUnasked(seller.page);
    await liveAt(seller, '/dashboard');
    const deal = await paid(buyer, seller, { price: 75, description: 'Ten logos for a tea house' });
    await seller.page.getByText('Ten logos for a tea house').filter({ visible: true }).first().waitFor(AT_ONCE);
    await bell(seller.page, 'Notifications, some unread').click();
    const panel = seller.page.getByRole('dialog', { name: 'Notifications' });
    await panel.getByRole('link', { name: new RegExp(`${buyer.name} paid \\$75.00 into escrow`) }).click();
    await seller.page.waitForURL(`**${deal.path}`);
    await hold(seller.page, 'Amanat holds $75.00');
  });
});

describe('a connection that is lost', () => {
  it('is said after a while, and what happened meanwhile comes with the next one', async () => {
    const { buyer, seller } = await market(browser, 60);
    const { path } = await paid(buyer, seller, { price: 50 });
    const line = await lineOf(buyer.page);
    await line.liveAt(path);
    await line.cut();
    await buyer.page.getByText(BANNER).waitFor();
    await expectAccessible(buyer.page);
    await post(seller, `/deals/deliver/${path.split('/').at(-1) ?? ''}`);
    line.mend();
    await buyer.page.getByText(BANNER).waitFor({ state: 'detached' });
    await buyer.page
      .getByRole('main')
      .getByText(new RegExp(`${seller.name} delivered`))
      .first()
      .waitFor(AT_ONCE);
  });

  it('is no loss: the page asks by itself', async () => {
    const boss = await admin(browser);
    const user = await newcomer(browser, 'nusrat');
    const line = await lineOf(user.page);
    const deposit = await report(user, 40);
    await line.liveAt('/balance');
    await line.cut();
    await user.page.getByText(BANNER).waitFor();
    await approve(boss, deposit, 40, user);
    await user.page.getByRole('main').getByText('$40.00').first().waitFor({ timeout: 35_000 });
    await user.page.getByText(BANNER).waitFor();
    await bell(user.page, 'Notifications, some unread').waitFor();
  });
});
