import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launch, signIn, visit } from './support/browser';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const toast = (page: Page, text: string) => page.locator('[data-sonner-toast]', { hasText: text }).first();

async function post(context: BrowserContext, path: string, data: object = {}): Promise<{ _id: string }> {
  const answer = await context.request.post(`/api${path}`, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as { _id: string };
}

async function wallet(context: BrowserContext): Promise<number> {
  return ((await (await context.request.get('/api/wallet')).json()) as { wallet: number }).wallet;
}

async function idOf(context: BrowserContext): Promise<string> {
  return ((await (await context.request.get('/api/auth/check')).json()) as { _id: string })._id;
}

/** The demo's buyer and seller, each in a browser of his own, and deals between them that are paid. */
async function parties() {
  const [buyer, seller] = [await visit(browser), await visit(browser, { width: 360 })];
  await signIn(buyer.context, 'buyer');
  await signIn(seller.context, 'seller');
  const [buyerId, sellerId] = [await idOf(buyer.context), await idOf(seller.context)];
  const paid = async (description: string, price: number) => {
    const deal = await post(buyer.context, '/deals/create', { price, description, deliveryDuration: 7, buyerId, sellerId });
    await post(buyer.context, `/deals/pay/${deal._id}`);
    return `/deal/${deal._id}`;
  };
  return { buyer, seller, paid };
}

async function confirm(page: Page, name: string) {
  await page.getByRole('alertdialog').getByRole('button', { name }).click();
}

async function choose(page: Page, name: RegExp) {
  await page.getByRole('button', { name: 'Something is wrong' }).click();
  await page.getByRole('dialog').getByRole('button', { name }).click();
}

describe('when something is wrong', () => {
  it('is delivered again, then cancelled with both told the same sums', { timeout: 120_000 }, async () => {
    const { buyer, seller, paid } = await parties();
    const deal = await paid('A page for a bookshop', 20);
    const before = await wallet(buyer.context);

    await seller.page.goto(deal);
    await seller.page.locator('.bar').getByRole('button', { name: 'Mark as delivered' }).click();
    await confirm(seller.page, 'Mark as delivered');
    await toast(seller.page, 'Seller has delivered the deal').waitFor();

    await buyer.page.goto(deal);
    await choose(buyer.page, /^Request changes/);
    await confirm(buyer.page, 'Request changes');
    await buyer.page.getByText('You asked for changes. seller has to deliver again.').first().waitFor();

    await choose(buyer.page, /^Request cancellation/);
    await buyer.page.getByRole('alertdialog').getByText('$19.60').waitFor();
    await expectAccessible(buyer.page);
    await confirm(buyer.page, 'Request cancellation');
    await toast(buyer.page, 'Cancellation request sent').waitFor();
    expect(await wallet(buyer.context)).toBe(before);

    await seller.page.reload();
    await seller.page.getByText('buyer asks to cancel. Accept or decline.').waitFor();
    await expectAccessible(seller.page);
    await seller.page.locator('.bar').getByRole('button', { name: 'Accept cancellation' }).click();
    await seller.page.getByRole('alertdialog').getByText('buyer gets back').waitFor();
    await expectAccessible(seller.page);
    await confirm(seller.page, 'Accept cancellation');
    await toast(seller.page, 'Deal cancelled and buyer refunded (2% fee taken)').waitFor();

    await buyer.page.reload();
    await buyer.page.getByText('$19.60 is back in your balance; the fee was $0.40.').waitFor();
    await expectAccessible(buyer.page);
    expect((await wallet(buyer.context)) - before).toBeCloseTo(19.6);
    for (const { faults } of [buyer, seller]) expect(faults).toEqual([]);
  });

  it('goes to support, which stops the clock', { timeout: 120_000 }, async () => {
    const { buyer, paid } = await parties();
    const deal = await paid('Ten product photos', 14);
    await buyer.page.goto(deal);
    await buyer.page.getByRole('button', { name: 'Something is wrong' }).click();
    await expectAccessible(buyer.page);
    await buyer.page.getByRole('link', { name: /^Get support/ }).click();
    await buyer.page.getByLabel('Issue description').fill('The photos are not mine.');
    await buyer.page.reload();
    expect(await buyer.page.getByLabel('Issue description').inputValue()).toBe('The photos are not mine.');
    await expectAccessible(buyer.page);
    await buyer.page.getByRole('button', { name: 'Submit request' }).click();
    await toast(buyer.page, 'Your request has been sent to our support.').waitFor();
    await buyer.page.getByText('Clock stopped').waitFor();
    expect(new URL(buyer.page.url()).pathname).toBe(deal);
    expect(buyer.faults).toEqual([]);
  });
});
