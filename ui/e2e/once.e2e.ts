import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch } from './support/browser';
import { market, offer, paid } from './support/deals';
import { provoke, REFUSED } from './support/faults';
import { hearNothing } from './support/live';
import { goOffline, holdAnswer, loseAnswer } from './support/network';
import { fund, newcomer, type Person, post, wallet } from './support/people';
import { ask, chooseStars, confirm, heading, hold, says, toast } from './support/screen';

type People = Record<'buyer' | 'seller' | 'boss', Person>;

let browser: Browser;
let people: People;
beforeAll(async () => {
  browser = await launch();
  people = await market(browser, 500);
});
afterAll(() => browser.close());

const PAY = '**/api/deals/pay/*';
const RELEASE = '**/api/deals/complete/*';

/** The answer of the question on the screen, to be clicked. */
const answer = (page: Page, name: string) => page.getByRole('alertdialog').getByRole('button', { name, exact: true });

/** How many rows the list of the API has. */
async function total({ context }: Person, path: string): Promise<number> {
  return ((await (await context.request.get(`/api${path}`)).json()) as { total: number }).total;
}

describe('a payment', () => {
  it('whose answer is lost, or was awaited when the page was loaded anew, is made once', async () => {
    const { buyer, seller } = people;
    const before = Number(await wallet(buyer));
    for (const [price, cut] of [
      [20, 'lost'],
      [30, 'reloaded'],
    ] as const) {
      const { path } = await offer(buyer, seller, { price });
      await buyer.page.goto(path);
      await ask(buyer.page, `Pay & Activate $${price}.00`);
      if (cut === 'lost') {
        await loseAnswer(buyer.page, PAY);
        await confirm(buyer.page, `Pay & Activate $${price}.00`);
      } else {
        const { done } = await holdAnswer(buyer.page, PAY);
        await confirm(buyer.page, `Pay & Activate $${price}.00`);
        await done;
        await buyer.page.reload();
      }
      await hold(buyer.page, `Amanat holds $${price}.00`);
      expect(await buyer.page.getByRole('button', { name: /^Pay & Activate/ }).count()).toBe(0);
    }
    expect(Number(await wallet(buyer))).toBe(before - 50);
  });

  it('goes on behind a page that is left, and is told there', async () => {
    const { buyer, seller } = people;
    const before = Number(await wallet(buyer));
    await offer(buyer, seller, { price: 25, description: 'A page left behind' });
    await buyer.page.goto('/deal?tab=pending');
    const line = buyer.page.getByRole('link', { name: /A page left behind/ }).filter({ visible: true });
    await line.click();
    await ask(buyer.page, 'Pay & Activate $25.00');
    const { done, letThrough } = await holdAnswer(buyer.page, PAY);
    await confirm(buyer.page, 'Pay & Activate $25.00');
    await done;
    await buyer.page.goBack();
    await heading(buyer.page, 'Manage Deals').waitFor();
    letThrough();
    await toast(buyer.page, 'Deal activated!').waitFor();
    await buyer.page.goForward();
    await hold(buyer.page, 'Amanat holds $25.00');
    expect(Number(await wallet(buyer))).toBe(before - 25);
  });

  it('clicked twice in two tabs is made once', async () => {
    const { buyer, seller } = people;
    const before = Number(await wallet(buyer));
    const { path } = await offer(buyer, seller, { price: 45 });
    const tabs = [await buyer.context.newPage(), await buyer.context.newPage()];
    for (const page of tabs) {
      await hearNothing(page);
      await page.goto(path);
      await ask(page, 'Pay & Activate $45.00');
    }
    await Promise.all(tabs.map((page) => answer(page, 'Pay & Activate $45.00').dblclick()));
    for (const page of tabs) await hold(page, 'Amanat holds $45.00');
    expect(Number(await wallet(buyer))).toBe(before - 45);
    for (const page of tabs) await page.close();
  });

  it('without a connection takes nothing, and can be made when it is back', async () => {
    const { buyer, seller } = people;
    const before = await wallet(buyer);
    const { path } = await offer(buyer, seller, { price: 35 });
    await buyer.page.goto(path);
    await ask(buyer.page, 'Pay & Activate $35.00');
    await goOffline(buyer.context);
    await confirm(buyer.page, 'Pay & Activate $35.00');
    await toast(buyer.page, 'Failed to activate deal').waitFor();
    await says(buyer.page, 'You are offline. What you see may be out of date.');
    expect(await wallet(buyer)).toBe(before);
    await buyer.context.setOffline(false);
    await confirm(buyer.page, 'Pay & Activate $35.00');
    await toast(buyer.page, 'Deal activated!').waitFor();
    await hold(buyer.page, 'Amanat holds $35.00');
    expect(Number(await wallet(buyer))).toBe(Number(before) - 35);
  });

  it('with too little money takes nothing, says what is missing, and goes through after a deposit', async () => {
    const { buyer, seller, boss } = people;
    provoke(buyer.context, REFUSED);
    const before = Number(await wallet(buyer));
    const { path } = await offer(buyer, seller, { price: before });
    await hearNothing(buyer.page);
    await buyer.page.goto(path);
    const pay = `Pay & Activate $${before.toFixed(2)}`;
    await ask(buyer.page, pay);
    // Spent elsewhere meanwhile: this page does not know.
    await paid(buyer, seller, { price: 40 });
    await confirm(buyer.page, pay);
    await toast(buyer.page, 'Insufficient balance').waitFor();
    const question = buyer.page.getByRole('alertdialog', { name: 'Insufficient balance' });
    await says(question, /takes more than you have. Nothing was taken.$/);
    expect(Number(await wallet(buyer))).toBe(before - 40);
    await question.getByRole('link', { name: 'Deposit $40.00' }).click();
    await heading(buyer.page, 'Deposit').waitFor();
    await fund(boss, buyer, 41);
    await buyer.page.goto(path);
    await ask(buyer.page, pay);
    await confirm(buyer.page, pay);
    await toast(buyer.page, 'Deal activated!').waitFor();
    expect(await wallet(buyer)).toBe('1.00');
  });
});

describe('a release', () => {
  it('whose answer is lost pays the seller once; a second review is refused', async () => {
    const { buyer, seller, boss } = people;
    await fund(boss, buyer, 100);
    const { id, path } = await paid(buyer, seller, { price: 100 });
    await post(seller, `/deals/deliver/${id}`);
    const before = Number(await wallet(seller));
    await buyer.page.goto(path);
    await ask(buyer.page, 'Release $100.00');
    await loseAnswer(buyer.page, RELEASE);
    await confirm(buyer.page, 'Release $100.00');
    await hold(buyer.page, 'The seller has $98.00');
    expect(Number(await wallet(seller))).toBe(before + 98);

    provoke(buyer.context, REFUSED);
    const second = await buyer.context.newPage();
    for (const page of [buyer.page, second]) {
      await hearNothing(page);
      await page.goto(path);
      await page.getByRole('button', { name: `Review ${seller.name}` }).click();
      const stars = page.getByRole('dialog', { name: `How was ${seller.name}?` });
      await chooseStars(stars, 5);
      await stars.getByLabel('Your words').fill('All as agreed.');
    }
    await buyer.page.getByRole('button', { name: 'Submit review' }).dblclick();
    await toast(buyer.page, 'Review submitted!').waitFor();
    await second.getByRole('button', { name: 'Submit review' }).click();
    await toast(second, 'You already reviewed this seller.').waitFor();
    const reviews = (await (await buyer.context.request.get(`/api/reviews?user=${seller.id}`)).json()) as unknown[];
    expect(reviews).toHaveLength(1);
    await second.close();
  });
});

describe('money in and out', () => {
  it('a withdrawal of all there is, whose answer is lost, is made once and can be sent again', async () => {
    const owner = await newcomer(browser, 'tanvir', { width: 360 });
    const { page } = owner;
    const all = '98.00';
    await fund(people.boss, owner, Number(all));
    await page.goto('/withdraw');
    await page.getByRole('button', { name: /^Bkash/ }).click();
    const order = page.getByRole('dialog', { name: 'Withdraw to Bkash' });
    await order.getByLabel('Amount to withdraw').fill(all);
    await order.getByRole('textbox', { name: /^Phone number/ }).fill('01712345678');
    await loseAnswer(page, '**/api/withdraw');
    await order.getByRole('button', { name: /^Withdraw \$/ }).click();
    await says(order, 'Failed to submit withdrawal');
    await expect.poll(() => wallet(owner)).toBe('0.00');
    // The balance on the page is what is left after it: that refuses nothing here.
    await says(order, 'You have $0.00');
    await order.getByRole('button', { name: `Withdraw $${all}` }).click();
    await toast(page, 'Withdrawal submitted successfully!').waitFor();
    expect(await total(owner, '/withdraw/history')).toBe(1);
    expect(await wallet(owner)).toBe('0.00');
  });

  it('a deposit that is reported twice, and whose answer is lost, is one', async () => {
    const owner = await newcomer(browser, 'tanvir', { width: 360 });
    const { page } = owner;
    await page.goto('/deposit');
    await page.getByRole('button', { name: /^Nagad/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Deposit with Nagad' });
    await dialog.getByLabel('Amount to add').fill('12');
    await dialog.getByRole('textbox', { name: /^Transaction ID/ }).fill(`N${Date.now().toString(36).slice(-8)}`);
    await loseAnswer(page, '**/api/auth/deposit');
    await dialog.getByRole('button', { name: /^I have sent/ }).click();
    await says(dialog, 'Failed to submit deposit, please try again');
    await dialog.getByRole('button', { name: /^I have sent/ }).dblclick();
    await toast(page, 'Deposit submitted successfully!').waitFor();
    expect(await total(owner, '/auth/deposit/history')).toBe(1);
  });
});
