import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_PASSWORD, expectAccessible, launch, signIn, visit } from './support/browser';
import { provoke, REFUSED } from './support/faults';
import { lettersTo, mailedLink, verifyAddress, wallet } from './support/people';
import { act, ask, confirm, createDeal, heading, openDeal, says, toast } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const unique = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 5)}`;

type Person = { context: BrowserContext; page: Page; name: string };

/** Opens a browser of one's own and signs up by hand, as people do. */
async function newcomer(prefix: string, via = '/signup'): Promise<Person> {
  const { context, page } = await visit(browser);
  const name = `${prefix}${unique()}`;
  await page.goto(via);
  await heading(page, 'Create Account').waitFor();
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Email').fill(`${name}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await heading(page, name).waitFor();
  return { context, page, name };
}

async function admin(): Promise<Person> {
  const { context, page } = await visit(browser);
  await signIn(context, 'admin');
  return { context, page, name: 'admin' };
}

async function deposit(page: Page, amount: string, id: string) {
  await page.goto('/deposit');
  await page.getByRole('button', { name: /^Bkash/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Deposit with Bkash' });
  await dialog.getByLabel('Amount to add').fill(amount);
  await dialog.getByRole('textbox', { name: /^Transaction ID/ }).fill(id);
  await dialog.getByRole('button', { name: /^I have sent/ }).click();
}

async function review(page: Page, path: string, name: string) {
  await page.goto(path);
  await page
    .getByRole('link', { name: new RegExp(name) })
    .first()
    .click();
  await page.getByRole('heading', { name: new RegExp(`^${name} (claims|wants)`) }).waitFor();
}

describe('the main job', () => {
  it('takes money from a deposit through a deal to a withdrawal', async () => {
    const buyer = await newcomer('nusrat');
    const seller = await newcomer('tanvir', '/referral/FRIEND7');
    expect(await seller.page.evaluate(() => localStorage.getItem('referredBy'))).toBeNull();
    const boss = await admin();
    // Notices of money, and links about it, are mailed to verified addresses alone.
    await verifyAddress(buyer);
    await seller.page.goto(await mailedLink(seller, '/verify-email'));
    await seller.page.getByRole('button', { name: 'Verify email' }).click();
    await says(seller.page, 'Your email is verified.');
    const bkash = `CK${unique().slice(-8)}`.toUpperCase();

    // A deal before there is money: clear words, and nothing taken.
    await createDeal(seller.page, { other: buyer.name, role: 'Seller', price: '480' });
    await toast(seller.page, 'Deal request sent!').waitFor();
    await openDeal(buyer.page);
    await says(buyer.page, 'Your balance is $480.00 short.');
    await expectAccessible(buyer.page);

    // He types Bangla digits; the admin credits what Bkash shows and says why.
    await deposit(buyer.page, '৫০০', bkash);
    await toast(buyer.page, 'Deposit submitted successfully!').waitFor();
    await review(boss.page, '/admin/deposit', buyer.name);
    await expectAccessible(boss.page);
    await boss.page.getByLabel('Amount to credit').fill('490');
    await boss.page.getByLabel('Type the amount again').fill('490.00');
    await boss.page.getByLabel(/^Reason/).fill('Bkash shows less.');
    await boss.page.getByRole('button', { name: 'Approve $490.00' }).click();
    await toast(boss.page, 'Balance updated successfully').waitFor();
    expect(await wallet(buyer)).toBe('490.00');
    await buyer.page.goto('/balance');
    await says(buyer.page, '$490.00 credited instead of $500.00.');
    await says(buyer.page, 'Reason: Bkash shows less.');
    await expectAccessible(buyer.page);

    // The same transaction ID pays in once.
    provoke(buyer.context, REFUSED);
    await deposit(buyer.page, '20', bkash);
    await says(buyer.page, 'This transaction ID has already been used.');

    const deal = await openDeal(buyer.page);
    const payment = await ask(buyer.page, 'Accept & Pay $480.00');
    await payment.getByRole('button', { name: 'Accept & Pay $480.00' }).dblclick();
    await toast(buyer.page, 'Deal activated!').waitFor();
    expect(await wallet(buyer)).toBe('10.00');
    await says(buyer.page, '$480.00 is held by Amanat.');

    await seller.page.goto(deal);
    await says(seller.page, '$480.00 is held by Amanat for you.');
    await act(seller.page, 'Mark as delivered');
    await toast(seller.page, 'Seller has delivered the deal').waitFor();
    expect(await wallet(seller)).toBe('0.00');

    await buyer.page.reload();
    await ask(buyer.page, 'Release $480.00');
    await expectAccessible(buyer.page);
    await confirm(buyer.page, 'Release $480.00');
    await toast(buyer.page, 'Deal marked as completed').waitFor();
    // The page asks at once how it was.
    const stars = buyer.page.getByRole('dialog', { name: `How was ${seller.name}?` });
    await stars.getByRole('radio', { name: '5 stars, Very good' }).waitFor({ state: 'attached' });
    await expectAccessible(buyer.page);
    await stars.getByRole('button', { name: 'Later' }).click();
    await seller.page.reload();
    await says(seller.page, '$470.40 went to your balance');
    expect(await wallet(seller)).toBe('470.40');
    await expectAccessible(seller.page);

    await seller.page.goto('/withdraw');
    await seller.page.getByRole('button', { name: /^Nagad/ }).click();
    const order = seller.page.getByRole('dialog', { name: 'Withdraw to Nagad' });
    await order.getByLabel('Amount to withdraw').fill('1000');
    await order.getByText('Insufficient balance to withdraw').waitFor();
    expect(await order.getByRole('button', { name: /^Withdraw/ }).isDisabled()).toBe(true);
    await order.getByLabel('Amount to withdraw').fill('400');
    await order.getByRole('textbox', { name: /^Phone number/ }).fill('০১৭১২৩৪৫৬৭৮');
    await order.getByRole('button', { name: 'Withdraw $400.00' }).click();
    await toast(seller.page, 'Withdrawal submitted successfully!').waitFor();
    expect(await wallet(seller)).toBe('70.40');

    // The number is new: it is held until the seller confirms it.
    await review(boss.page, '/admin/withdrawal', seller.name);
    await says(boss.page, /01712-?345678/);
    await says(boss.page, `New number: nothing was ever sent to it for ${seller.name}`);
    expect(await boss.page.getByRole('button', { name: 'Send $400.00' }).isDisabled()).toBe(true);
    await expectAccessible(boss.page);
    await seller.page.goto('/balance');
    await says(seller.page, /^Held until/);
    await expectAccessible(seller.page);
    await seller.page.goto(await mailedLink(seller, '/confirm-withdrawal'));
    await expectAccessible(seller.page);
    await seller.page.getByRole('button', { name: 'Confirm the withdrawal' }).click();
    await says(seller.page, 'Your withdrawal is confirmed.');
    await review(boss.page, '/admin/withdrawal', seller.name);
    await says(boss.page, new RegExp(`^Confirmed by ${seller.name}`));
    const payout = unique().slice(-8).padStart(8, '7').toUpperCase();
    await boss.page.getByLabel(/^Payout transaction ID/).fill(payout);
    await expectAccessible(boss.page);
    await boss.page.getByRole('button', { name: 'Send $400.00' }).click();
    await toast(boss.page, 'Withdrawal sent successfully. Balance updated.').waitFor();

    await seller.page.goto('/balance');
    await seller.page.getByRole('link', { name: 'Withdrawals', exact: true }).click();
    await says(seller.page, `Paid with ${payout}`);
    await expect
      .poll(() => lettersTo(buyer).then((subjects) => subjects.sort()))
      .toEqual([
        '$490.00 is in your balance; you reported $500.00. Reason: Bkash shows less.',
        'Please verify your email.',
        `${seller.name} has delivered. Check it, then complete the deal.`,
        `${seller.name} offers you a deal of $480.00.`,
      ]);
    await expect
      .poll(() => lettersTo(seller).then((subjects) => subjects.sort()))
      .toEqual([
        'A withdrawal of $400.00 from your account',
        'Please confirm your withdrawal of $400.00',
        'Please verify your email.',
        'You confirmed your withdrawal of $400.00 to Nagad 01712345678. It can be sent now.',
        expect.stringMatching(/^Your withdrawal of \$400\.00 was sent to 01712345678/),
        `${buyer.name} completed the deal. You received $470.40.`,
        `${buyer.name} paid $480.00 into escrow. You can deliver now.`,
      ]);
  });
});
