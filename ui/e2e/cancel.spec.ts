import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { fund, wallet } from './support/people';
import { ask, book, confirm, facts, hold, openTrouble, says, toast } from './support/screen';
import { expect, test } from './support/test';

test.describe('a cancellation that the buyer asks for', () => {
  test('is accepted by the seller, with the same sums on both sides', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 150);
    const { path } = await paid(buyer, seller, { price: 120.5 });

    await test.step('The buyer sees what a cancellation costs, and asks', async () => {
      const { page } = buyer;
      await page.goto(path);
      const choices = await openTrouble(page);
      await says(choices, `If ${seller.name} accepts, you get $118.09 back: the price less the 2% fee.`);
      await says(choices, 'You have 3 of 3 requests left in this deal.');
      await expectAccessible(page);
      await choices.getByRole('button', { name: /^Request cancellation/ }).click();
      const question = page.getByRole('alertdialog', { name: `Ask ${seller.name} to cancel?` });
      await expect(question).toBeVisible();
      expect(await facts(question)).toEqual(['Price: $120.50', 'Amanat’s fee, 2%: − $2.41', 'You get back: $118.09']);
      await expectAccessible(page);
      await confirm(page, 'Request cancellation');
      await expect(toast(page, 'Cancellation request sent')).toBeVisible();
      await says(page, 'Cancellation requested');
      await hold(page, 'Amanat holds $120.50');
      await expectAccessible(page);
    });

    await test.step('The seller accepts', async () => {
      const { page } = seller;
      await page.goto(path);
      await says(page, `${buyer.name} asked to cancel. Accept or decline.`);
      await expectAccessible(page);
      const answer = await ask(page, 'Accept cancellation');
      expect(await facts(answer)).toEqual(['Price: $120.50', 'Amanat’s fee, 2%: − $2.41', `${buyer.name} gets back: $118.09`]);
      await expectAccessible(page);
      await confirm(page, 'Accept cancellation');
      await expect(toast(page, 'Deal cancelled and buyer refunded (2% fee taken)')).toBeVisible();
      await says(page, `$118.09 was refunded to ${buyer.name}; the fee was $2.41.`);
      await expectAccessible(page);
    });

    await test.step('Both have the same lines', async () => {
      // The buyer's open page is updated.
      await says(buyer.page, '$118.09 was refunded to your balance; the fee was $2.41.');
      await hold(buyer.page, 'The buyer has $118.09');
      await expectAccessible(buyer.page);
      expect((await book(buyer.page)).slice(2)).toEqual([
        'You paid Amanat - 120.50 -',
        'You asked to cancel - 120.50 -',
        `${seller.name} accepted the cancellation 118.09 fee 2.41 -`,
      ]);
      expect((await book(seller.page)).slice(2)).toEqual([
        `${buyer.name} paid Amanat - 120.50 -`,
        `${buyer.name} asked to cancel - 120.50 -`,
        'You accepted the cancellation 118.09 fee 2.41 -',
      ]);
      expect([await wallet(buyer), await wallet(seller)]).toEqual(['147.59', '0.00']);
    });
  });
});
