import type { Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { provoke, REFUSED } from './support/faults';
import { DEMO_PASSWORD, lettersTo, mailedLink, type Visitor, verifyAddress, wallet } from './support/people';
import { act, ask, confirm, createDeal, heading, openDeal, press, says, toast } from './support/screen';
import { expect, test } from './support/test';

const unique = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 5)}`;

type Named = Visitor & { name: string };

/** Opens a browser and signs up by hand. */
async function join({ context, page }: Visitor, prefix: string, via = '/signup'): Promise<Named> {
  const name = `${prefix}${unique()}`;
  await page.goto(via);
  await expect(heading(page, 'Create Account')).toBeVisible();
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Email').fill(`${name}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(heading(page, name)).toBeVisible();
  return { context, page, name };
}

async function deposit(page: Page, amount: string, id: string) {
  await page.goto('/deposit');
  await page.getByRole('button', { name: /^bKash/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Add money with bKash' });
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
  await expect(page.getByRole('heading', { name: new RegExp(`^${name} (reports|withdraws)`) })).toBeVisible();
}

test.describe('the main job', () => {
  test('takes money from a deposit through a deal to a withdrawal', async ({ visit, admin }) => {
    const buyer = await join(await visit(), 'nusrat');
    const seller = await join(await visit(), 'tanvir', '/referral/FRIEND7');
    expect(await seller.page.evaluate(() => localStorage.getItem('referredBy'))).toBeNull();
    // Notifications and links about money are mailed to verified addresses only.
    await verifyAddress(buyer);
    await seller.page.goto(await mailedLink(seller, '/verify-email'));
    await seller.page.getByRole('button', { name: 'Verify email' }).click();
    await says(seller.page, 'Your email is verified.');
    const bkash = `CK${unique().slice(-8)}`.toUpperCase();

    await test.step('A deal is offered before there is money', async () => {
      await createDeal(seller.page, { other: buyer.name, role: 'Seller', price: '480' });
      await expect(toast(seller.page, 'Deal request sent!')).toBeVisible();
      await openDeal(buyer.page);
      await says(buyer.page, 'You still need');
      await expect(buyer.page.getByRole('link', { name: 'Add $480.00' })).toBeVisible();
      await expectAccessible(buyer.page);
    });

    await test.step('The admin credits less than was reported, and says why', async () => {
      await deposit(buyer.page, '৫০০', bkash);
      await expect(toast(buyer.page, 'Deposit submitted successfully!')).toBeVisible();
      await review(admin.page, '/admin/deposit', buyer.name);
      await expectAccessible(admin.page);
      await admin.page.getByLabel('Amount to credit').fill('490');
      await admin.page.getByLabel('Type the amount again').fill('490.00');
      await admin.page.getByLabel(/^Reason/).fill('Bkash shows less.');
      await admin.page.getByRole('button', { name: 'Approve $490.00' }).click();
      await expect(toast(admin.page, 'Balance updated successfully')).toBeVisible();
      expect(await wallet(buyer)).toBe('490.00');
      await buyer.page.goto('/balance');
      await says(buyer.page, '$490.00 credited instead of $500.00.');
      await says(buyer.page, 'The admin wrote: Bkash shows less.');
      await expectAccessible(buyer.page);
    });

    await test.step('The same transaction ID pays in once', async () => {
      provoke(buyer.context, REFUSED);
      await deposit(buyer.page, '20', bkash);
      await says(buyer.page, /^You already reported this on .* \(\$490\.00, credited\)\.$/);
    });

    const deal = await test.step('The buyer pays', async () => {
      const deal = await openDeal(buyer.page);
      await press(buyer.page, 'Accept & Pay $480.00', { clickCount: 2 });
      await expect(toast(buyer.page, 'Deal activated!')).toBeVisible();
      expect(await wallet(buyer)).toBe('10.00');
      await says(buyer.page, '$480.00 is held by Amanat.');
      return deal;
    });

    await test.step('The seller delivers', async () => {
      await seller.page.goto(deal);
      await says(seller.page, '$480.00 is held by Amanat for you.');
      await act(seller.page, 'Mark as delivered');
      await expect(toast(seller.page, 'Seller has delivered the deal')).toBeVisible();
      expect(await wallet(seller)).toBe('0.00');
    });

    await test.step('The buyer releases the money', async () => {
      await buyer.page.reload();
      await ask(buyer.page, 'Release $480.00');
      await expectAccessible(buyer.page);
      await confirm(buyer.page, 'Release $480.00');
      await expect(toast(buyer.page, 'Deal marked as completed')).toBeVisible();
      // The review opens by itself.
      const stars = buyer.page.getByRole('dialog', { name: `How was ${seller.name}?` });
      await expect(stars.getByRole('radio', { name: '5 stars, Very good' })).toBeAttached();
      await expectAccessible(buyer.page);
      await stars.getByRole('button', { name: 'Later' }).click();
      await seller.page.reload();
      await says(seller.page, '$470.40 went to your balance');
      expect(await wallet(seller)).toBe('470.40');
      await expectAccessible(seller.page);
    });

    await test.step('The seller withdraws', async () => {
      await seller.page.goto('/withdraw');
      await seller.page.getByRole('button', { name: /^Nagad/ }).click();
      const order = seller.page.getByRole('dialog', { name: 'Withdraw to Nagad' });
      await order.getByLabel('Amount to withdraw').fill('1000');
      await expect(order.getByText('Insufficient balance to withdraw')).toBeVisible();
      await expect(order.getByRole('button', { name: /^Withdraw/ })).toBeDisabled();
      await order.getByLabel('Amount to withdraw').fill('400');
      await order.getByRole('textbox', { name: /^Phone number/ }).fill('০১৭১২৩৪৫৬৭৮');
      await order.getByRole('button', { name: 'Withdraw $400.00' }).click();
      await seller.page.getByRole('button', { name: 'Send it' }).click();
      await expect(toast(seller.page, 'Withdrawal submitted successfully!')).toBeVisible();
      expect(await wallet(seller)).toBe('70.40');
    });

    const payout = await test.step('The withdrawal is held until the seller confirms the new number', async () => {
      await review(admin.page, '/admin/withdrawal?tab=held', seller.name);
      await says(admin.page, /01712-?345678/);
      await says(admin.page, `New number: nothing was ever sent to it for ${seller.name}`);
      await expect(admin.page.getByRole('button', { name: 'Send $400.00' })).toBeDisabled();
      await expectAccessible(admin.page);
      await seller.page.goto('/balance');
      await says(seller.page, /^Held until/);
      await expectAccessible(seller.page);
      await seller.page.goto(await mailedLink(seller, '/confirm-withdrawal'));
      await expectAccessible(seller.page);
      await seller.page.getByRole('button', { name: 'Confirm the withdrawal' }).click();
      await says(seller.page, 'Your withdrawal is confirmed.');
      await review(admin.page, '/admin/withdrawal', seller.name);
      await says(admin.page, new RegExp(`^Confirmed by ${seller.name}`));
      const payout = unique().slice(-8).padStart(8, '7').toUpperCase();
      await admin.page.getByRole('button', { name: 'Book it yourself' }).click();
      await admin.page.getByLabel(/^Payout transaction ID/).fill(payout);
      await expectAccessible(admin.page);
      await admin.page.getByRole('button', { name: 'Send $400.00' }).click();
      await expect(toast(admin.page, 'Withdrawal sent successfully. Balance updated.')).toBeVisible();
      return payout;
    });

    await test.step('Both got their letters', async () => {
      await seller.page.goto('/balance');
      await says(seller.page, new RegExp(`TrxID ${payout}`));
      await expect
        .poll(() => lettersTo(buyer).then((subjects) => subjects.sort()))
        .toEqual([
          '$490.00 is in your balance; you reported $500.00. Reason: Bkash shows less.',
          'Please verify your email.',
          'You paid $480.00 into escrow for the deal.',
          'You released $480.00 for the deal.',
          `${seller.name} delivered. Check it, then release the money.`,
          `${seller.name} offers you a deal of $480.00.`,
        ]);
      await expect
        .poll(() => lettersTo(seller).then((subjects) => subjects.sort()))
        .toEqual([
          'Please confirm your withdrawal of $400.00',
          'Please verify your email.',
          'You confirmed your withdrawal of $400.00 to Nagad 01712345678. It can be sent now.',
          expect.stringMatching(/^Your withdrawal of \$400\.00 was sent to 01712345678/),
          `${buyer.name} completed the deal. You received $470.40.`,
          `${buyer.name} paid $480.00 into escrow for the deal. You can deliver now.`,
        ]);
    });
  });
});
