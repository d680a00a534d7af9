import type { Page } from '@playwright/test';
import { offer, paid } from './support/deals';
import { provoke, REFUSED } from './support/faults';
import { hearNothing } from './support/live';
import { goOffline, holdAnswer, loseAnswer } from './support/network';
import { fund, type Person, post, wallet } from './support/people';
import { ask, chooseStars, confirm, heading, hold, says, toast } from './support/screen';
import { expect, test } from './support/test';

const PAY = '**/api/deals/pay/*';
const RELEASE = '**/api/deals/complete/*';

/** The answer of the question on the screen, to be clicked. */
const answer = (page: Page, name: string) => page.getByRole('alertdialog').getByRole('button', { name, exact: true });

/** How many rows the list of the API has. */
async function total({ context }: Person, path: string): Promise<number> {
  return ((await (await context.request.get(`/api${path}`)).json()) as { total: number }).total;
}

test.describe('a payment', () => {
  test.beforeEach(({ admin, buyer }) => fund(admin, buyer, 100));

  test('whose answer is lost is made once', async ({ buyer, seller }) => {
    const { path } = await offer(buyer, seller, { price: 20 });
    await buyer.page.goto(path);
    await ask(buyer.page, 'Pay & Activate $20.00');
    await loseAnswer(buyer.page, PAY);
    await confirm(buyer.page, 'Pay & Activate $20.00');
    await hold(buyer.page, 'Amanat holds $20.00');
    await expect(buyer.page.getByRole('button', { name: /^Pay & Activate/ })).toHaveCount(0);
    expect(await wallet(buyer)).toBe('80.00');
  });

  test('whose answer was awaited when the page was reloaded is made once', async ({ buyer, seller }) => {
    const { path } = await offer(buyer, seller, { price: 30 });
    await buyer.page.goto(path);
    await ask(buyer.page, 'Pay & Activate $30.00');
    const { done } = await holdAnswer(buyer.page, PAY);
    await confirm(buyer.page, 'Pay & Activate $30.00');
    await done;
    await buyer.page.reload();
    await hold(buyer.page, 'Amanat holds $30.00');
    await expect(buyer.page.getByRole('button', { name: /^Pay & Activate/ })).toHaveCount(0);
    expect(await wallet(buyer)).toBe('70.00');
  });

  test('goes on behind a page that is left, and is told there', async ({ buyer, seller }) => {
    await offer(buyer, seller, { price: 25, description: 'A page left behind' });
    await buyer.page.goto('/deal?tab=pending');
    const line = buyer.page.getByRole('link', { name: /A page left behind/ }).filter({ visible: true });
    await line.click();
    await ask(buyer.page, 'Pay & Activate $25.00');
    const { done, letThrough } = await holdAnswer(buyer.page, PAY);
    await confirm(buyer.page, 'Pay & Activate $25.00');
    await done;
    await buyer.page.goBack();
    await expect(heading(buyer.page, 'Manage Deals')).toBeVisible();
    letThrough();
    await expect(toast(buyer.page, 'Deal activated!')).toBeVisible();
    await buyer.page.goForward();
    await hold(buyer.page, 'Amanat holds $25.00');
    expect(await wallet(buyer)).toBe('75.00');
  });

  test('clicked twice in two tabs is made once', async ({ buyer, seller }) => {
    const { path } = await offer(buyer, seller, { price: 45 });
    const tabs = [await buyer.context.newPage(), await buyer.context.newPage()];
    for (const page of tabs) {
      await hearNothing(page);
      await page.goto(path);
      await ask(page, 'Pay & Activate $45.00');
    }
    await Promise.all(tabs.map((page) => answer(page, 'Pay & Activate $45.00').dblclick()));
    for (const page of tabs) await hold(page, 'Amanat holds $45.00');
    expect(await wallet(buyer)).toBe('55.00');
  });

  test('without a connection takes nothing, and can be made when it is back', async ({ buyer, seller }) => {
    const { path } = await offer(buyer, seller, { price: 35 });
    await buyer.page.goto(path);
    await ask(buyer.page, 'Pay & Activate $35.00');
    await goOffline(buyer.context);
    await confirm(buyer.page, 'Pay & Activate $35.00');
    await expect(toast(buyer.page, 'Failed to activate deal')).toBeVisible();
    await says(buyer.page, 'You are offline. What you see may be out of date.');
    expect(await wallet(buyer)).toBe('100.00');
    await buyer.context.setOffline(false);
    await confirm(buyer.page, 'Pay & Activate $35.00');
    await expect(toast(buyer.page, 'Deal activated!')).toBeVisible();
    await hold(buyer.page, 'Amanat holds $35.00');
    expect(await wallet(buyer)).toBe('65.00');
  });

  test('with too little money takes nothing, says what is missing, and goes through after a deposit', async ({
    buyer,
    seller,
    admin,
  }) => {
    provoke(buyer.context, REFUSED);
    const { path } = await offer(buyer, seller, { price: 100 });
    await hearNothing(buyer.page);
    await buyer.page.goto(path);
    const pay = 'Pay & Activate $100.00';
    await ask(buyer.page, pay);
    // Spent elsewhere meanwhile: this page does not know.
    await paid(buyer, seller, { price: 40 });
    await confirm(buyer.page, pay);
    await expect(toast(buyer.page, 'Insufficient balance')).toBeVisible();
    const question = buyer.page.getByRole('alertdialog', { name: 'Insufficient balance' });
    await says(question, /^Your balance is less than .* Nothing was charged\.$/);
    expect(await wallet(buyer)).toBe('60.00');
    await question.getByRole('link', { name: 'Deposit $40.00' }).click();
    await expect(heading(buyer.page, 'Deposit')).toBeVisible();
    await fund(admin, buyer, 41);
    await buyer.page.goto(path);
    await ask(buyer.page, pay);
    await confirm(buyer.page, pay);
    await expect(toast(buyer.page, 'Deal activated!')).toBeVisible();
    expect(await wallet(buyer)).toBe('1.00');
  });
});

test.describe('a release', () => {
  test('whose answer is lost pays the seller once; a second review is refused', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 100);
    const { id, path } = await paid(buyer, seller, { price: 100 });
    await post(seller, `/deals/deliver/${id}`);
    await buyer.page.goto(path);
    await ask(buyer.page, 'Release $100.00');
    await loseAnswer(buyer.page, RELEASE);
    await confirm(buyer.page, 'Release $100.00');
    await says(buyer.page, `This deal is done. You released the money, and ${seller.name} received $98.00.`);
    expect(await wallet(seller)).toBe('98.00');

    provoke(buyer.context, REFUSED);
    const second = await buyer.context.newPage();
    for (const page of [buyer.page, second]) {
      await hearNothing(page);
      await page.goto(path);
      const stars = page.getByRole('dialog', { name: `How was ${seller.name}?` });
      await chooseStars(stars, 5);
      await stars.getByLabel('Your review').fill('All as agreed.');
    }
    await buyer.page.getByRole('button', { name: 'Submit review' }).dblclick();
    await expect(toast(buyer.page, 'Review submitted!')).toBeVisible();
    await second.getByRole('button', { name: 'Submit review' }).click();
    await expect(toast(second, 'You already reviewed this seller.')).toBeVisible();
    const reviews = (await (await buyer.context.request.get(`/api/reviews?user=${seller.id}`)).json()) as unknown[];
    expect(reviews).toHaveLength(1);
  });
});

test.describe('money in and out', () => {
  test('a withdrawal of all there is, whose answer is lost, is made once and can be sent again', async ({ seller, admin }) => {
    const { page } = seller;
    await fund(admin, seller, 98);
    await page.goto('/withdraw');
    await page.getByRole('button', { name: /^bKash/ }).click();
    const order = page.getByRole('dialog', { name: 'Withdraw to bKash' });
    await order.getByLabel('Amount to withdraw').fill('98.00');
    await order.getByRole('textbox', { name: /^Phone number/ }).fill('01712345678');
    await loseAnswer(page, '**/api/withdraw');
    await order.getByRole('button', { name: /^Withdraw \$/ }).click();
    await says(order, 'Failed to submit withdrawal');
    await expect.poll(() => wallet(seller)).toBe('0.00');
    // The balance on the page is what is left after it: that refuses nothing here.
    await says(order, 'Available: $0.00');
    await order.getByRole('button', { name: 'Withdraw $98.00' }).click();
    await expect(toast(page, 'Withdrawal submitted successfully!')).toBeVisible();
    expect(await total(seller, '/withdraw/history')).toBe(1);
    expect(await wallet(seller)).toBe('0.00');
  });

  test('a deposit that is reported twice, and whose answer is lost, is one', async ({ seller }) => {
    const { page } = seller;
    await page.goto('/deposit');
    await page.getByRole('button', { name: /^Nagad/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Deposit with Nagad' });
    await dialog.getByLabel('Amount to add').fill('12');
    await dialog.getByRole('textbox', { name: /^Transaction ID/ }).fill(`N${Date.now().toString(36).slice(-8)}`);
    await loseAnswer(page, '**/api/auth/deposit');
    await dialog.getByRole('button', { name: /^I have sent/ }).click();
    await says(dialog, 'Failed to submit deposit, please try again');
    await dialog.getByRole('button', { name: /^I have sent/ }).dblclick();
    await expect(toast(page, 'Deposit submitted successfully!')).toBeVisible();
    expect(await total(seller, '/auth/deposit/history')).toBe(1);
  });
});
