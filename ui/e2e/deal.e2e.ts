import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launch } from './support/browser';
import { offer } from './support/deals';
import { provoke, REFUSED } from './support/faults';
import { admin, fund, newcomer, wallet } from './support/people';
import {
  act,
  ask,
  askTrouble,
  book,
  chooseStars,
  confirm,
  createDeal,
  facts,
  heading,
  hold,
  openDeal,
  says,
  toast,
} from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const [DESK, PHONE] = [1280, 360];

describe.each([
  { buyers: DESK, sellers: PHONE },
  { buyers: PHONE, sellers: DESK },
])('a whole deal, its buyer at $buyers px and its seller at $sellers', ({ buyers, sellers }) => {
  it('is delivered twice and released, with the same lines and sums on both sides', async () => {
    const boss = await admin(browser);
    const buyer = await newcomer(browser, 'nusrat', { width: buyers });
    const seller = await newcomer(browser, 'tanvir', { width: sellers });
    await fund(boss, buyer, 400);

    await createDeal(buyer.page, { other: seller.name, role: 'Buyer', price: '333.33', days: '5', check: /^10 days/ });
    await toast(buyer.page, 'Deal created!').waitFor();
    const path = await openDeal(buyer.page);
    await says(buyer.page, '5 days to deliver, then 10 days to check');
    await expectAccessible(buyer.page);
    await openDeal(seller.page);
    await says(seller.page, `${buyer.name} wants to buy this for $333.33.`);
    await hold(seller.page, 'The buyer has $333.33');
    await expectAccessible(seller.page);
    await act(seller.page, 'Accept deal');
    await toast(seller.page, 'Deal accepted').waitFor();
    await says(seller.page, `Wait until ${buyer.name} has paid. There is nothing for you to do before that.`);
    await expectAccessible(seller.page);
    await buyer.page.reload();

    const payment = await ask(buyer.page, 'Pay & Activate $333.33');
    expect(await facts(payment)).toEqual(['Your balance: $400.00', 'Pay into trust: − $333.33', 'Balance after: $66.67']);
    await expectAccessible(buyer.page);
    await confirm(buyer.page, 'Pay & Activate $333.33');
    await toast(buyer.page, 'Deal activated!').waitFor();
    await hold(buyer.page, 'Amanat holds $333.33');

    await seller.page.reload();
    await says(seller.page, '$333.33 is held by Amanat for you.');
    await act(seller.page, 'Mark as delivered');
    await toast(seller.page, 'Seller has delivered the deal').waitFor();
    await expectAccessible(seller.page);

    await buyer.page.reload();
    const changes = await askTrouble(buyer.page, /^Request changes/);
    await says(changes, 'You have 3 of 3 requests left in this deal.');
    await expectAccessible(buyer.page);
    await confirm(buyer.page, 'Request changes');
    await toast(buyer.page, 'Delivery reset').waitFor();
    await says(buyer.page, `You asked for changes. ${seller.name} has to deliver again.`);
    await seller.page.reload();
    await says(seller.page, `${buyer.name} asked for changes. Deliver again.`);
    await expectAccessible(seller.page);
    await act(seller.page, 'Mark as delivered');
    await toast(seller.page, 'Seller has delivered the deal').waitFor();
    expect([await wallet(buyer), await wallet(seller)]).toEqual(['66.67', '0.00']);

    await buyer.page.reload();
    const release = await ask(buyer.page, 'Release $333.33');
    await says(release, `${seller.name} gets $326.66 now; the fee is $6.67. We cannot call it back afterwards.`);
    await confirm(buyer.page, 'Release $333.33');
    await toast(buyer.page, 'Deal marked as completed').waitFor();
    const stars = buyer.page.getByRole('dialog', { name: `How was ${seller.name}?` });
    await chooseStars(stars, 4);
    await stars.getByLabel('Your words').fill('Late by nothing, and all as agreed.');
    await expectAccessible(buyer.page);
    await stars.getByRole('button', { name: 'Submit review' }).click();
    await toast(buyer.page, 'Review submitted!').waitFor();
    await says(buyer.page, `You have reviewed ${seller.name}.`);

    await seller.page.reload();
    await says(seller.page, `${buyer.name} released the money, and $326.66 went to your balance.`);
    for (const { page } of [buyer, seller]) {
      await hold(page, 'The seller has $326.66');
      await expectAccessible(page);
    }
    const lines = (buying: string, selling: string) => [
      `${buying} offered the deal 333.33 - -`,
      `${selling} accepted the deal 333.33 - -`,
      `${buying} paid into trust - 333.33 -`,
      `${selling} delivered - 333.33 -`,
      `${buying} asked for changes - 333.33 -`,
      `${selling} delivered - 333.33 -`,
      `${buying} released the money - fee 6.67 326.66`,
    ];
    expect(await book(buyer.page)).toEqual(lines('You', seller.name));
    expect(await book(seller.page)).toEqual(lines(buyer.name, 'You'));
    expect([await wallet(buyer), await wallet(seller)]).toEqual(['66.67', '326.66']);
    await buyer.page.goto(path);
    await says(buyer.page, `You have reviewed ${seller.name}.`);
  });
});

describe('an offer', () => {
  it('is declined, and is gone for both', async () => {
    const buyer = await newcomer(browser, 'nusrat', { width: PHONE });
    const seller = await newcomer(browser, 'tanvir');
    const { path } = await offer(seller, buyer, { price: 25, description: 'Ten logos' });
    await seller.page.goto('/deal');
    await seller.page.getByRole('link', { name: /Ten logos/ }).waitFor();
    await expectAccessible(seller.page);

    await openDeal(buyer.page, 'Ten logos');
    await act(buyer.page, 'Decline');
    await toast(buyer.page, 'Deal declined and removed').waitFor();
    await heading(buyer.page, 'Manage Deals').waitFor();
    await seller.page.reload();
    for (const { page } of [buyer, seller]) {
      await says(page, 'No deals yet. The first line is yours.');
      expect(await page.getByText('Ten logos').count()).toBe(0);
      await expectAccessible(page);
    }
    provoke(seller.context, REFUSED);
    await seller.page.goto(path);
    await toast(seller.page, 'Failed to fetch deal').waitFor();
    await heading(seller.page, 'Manage Deals').waitFor();
  });
});
