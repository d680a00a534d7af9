import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launch } from './support/browser';
import { market, offer, paid } from './support/deals';
import { socketOf } from './support/live';
import { admin, expectNoFaults, fund, newcomer, type Person, post } from './support/people';
import { act, hold, says, toast } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const bell = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true });

/** Loads a page, and waits until it is told what happens. */
async function liveAt(person: Person, path: string): Promise<void> {
  const joined = socketOf(person.page).joined();
  await person.page.goto(path);
  await joined;
}

describe('without a reload', () => {
  it('an approval by the admin is in the balance, in the history and in the bell', { timeout: 60_000 }, async () => {
    const boss = await admin(browser);
    const user = await newcomer(browser, 'nusrat');
    await liveAt(user, '/balance');
    await says(user.page, '$0.00');
    const report = {
      amount: 120,
      transactionId: `LIVE${Date.now().toString(36).slice(-6).toUpperCase()}`,
      paymentMethod: 'Bkash',
    };
    await liveAt(boss, '/admin/deposit');
    const { deposit } = await post<{ deposit: { _id: string } }>(user, '/auth/deposit', report);
    await boss.page.locator(`#row-${deposit._id}`).click();
    await boss.page.getByRole('dialog').getByText(report.transactionId).first().waitFor();
    await post(boss, `/admin/deposit/approve/${deposit._id}`, { amount: 120, userId: user.id });
    await user.page.getByRole('link', { name: 'Balance $120.00' }).waitFor();
    await says(user.page.getByRole('main'), '$120.00');
    await says(user.page, 'completed');
    await bell(user, 'Notifications, some unread').click();
    const panel = user.page.getByRole('dialog', { name: 'Notifications' });
    await says(panel, 'Your deposit of $120.00 is in your balance.');
    await expectAccessible(user.page);
    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await panel.getByRole('button', { name: 'Close' }).click();
    await bell(user, 'Notifications').waitFor();
    expectNoFaults(boss, user);
  });
});
