import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { hearNothing } from './support/live';
import { fund, hoursPass, post, wallet } from './support/people';
import { act, ask, askTrouble, book, confirm, facts, hold, openTrouble, says, toast } from './support/screen';
import { expect, test } from './support/test';

test.describe('a cancellation that the buyer asks for', () => {
  test('is declined, then accepted, with the same sums on both sides', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 150);
    const { path } = await paid(buyer, seller, { price: 120.5 });
    expect(await wallet(buyer)).toBe('29.50');

    await test.step('The buyer sees what a cancellation costs, and asks', async () => {
      await buyer.page.goto(path);
      const choices = await openTrouble(buyer.page);
      await says(choices, `If ${seller.name} accepts, you get $118.09 back: the price less the 2% fee.`);
      await says(choices, 'You have 3 of 3 requests left in this deal.');
      await expectAccessible(buyer.page);
      await choices.getByRole('button', { name: /^Request cancellation/ }).click();
      const question = buyer.page.getByRole('alertdialog', { name: `Ask ${seller.name} to cancel?` });
      await expect(question).toBeVisible();
      expect(await facts(question)).toEqual(['Price: $120.50', 'Amanat’s fee, 2%: − $2.41', 'You get back: $118.09']);
      await expectAccessible(buyer.page);
      await confirm(buyer.page, 'Request cancellation');
      await expect(toast(buyer.page, 'Cancellation request sent')).toBeVisible();
      await says(buyer.page, 'Cancellation requested');
      await hold(buyer.page, 'Amanat holds $120.50');
    });

    await test.step('The seller declines', async () => {
      await seller.page.goto(path);
      await says(seller.page, `${buyer.name} asked to cancel. Accept or decline.`);
      await expectAccessible(seller.page);
      await act(seller.page, 'Decline');
      await expect(toast(seller.page, 'You have declined the cancellation request')).toBeVisible();
      await says(seller.page, 'Active');
    });

    await test.step('The buyer asks again', async () => {
      await buyer.page.reload();
      await says(buyer.page, 'Seller declined your cancellation request.');
      await expectAccessible(buyer.page);
      await askTrouble(buyer.page, /^Request cancellation/);
      await says(buyer.page.getByRole('alertdialog'), 'You have 2 of 3 requests left in this deal.');
      await confirm(buyer.page, 'Request cancellation');
      await expect(toast(buyer.page, 'Cancellation request sent')).toBeVisible();
      expect([await wallet(buyer), await wallet(seller)]).toEqual(['29.50', '0.00']);
    });

    await test.step('The seller accepts', async () => {
      await seller.page.reload();
      const answer = await ask(seller.page, 'Accept cancellation');
      expect(await facts(answer)).toEqual(['Price: $120.50', 'Amanat’s fee, 2%: − $2.41', `${buyer.name} gets back: $118.09`]);
      await expectAccessible(seller.page);
      await confirm(seller.page, 'Accept cancellation');
      await expect(toast(seller.page, 'Deal cancelled and buyer refunded (2% fee taken)')).toBeVisible();
      await says(seller.page, `$118.09 was refunded to ${buyer.name}; the fee was $2.41.`);
      await expectAccessible(seller.page);
    });

    await test.step('Both have the same lines', async () => {
      await buyer.page.reload();
      await says(buyer.page, '$118.09 was refunded to your balance; the fee was $2.41.');
      await hold(buyer.page, 'The buyer has $118.09');
      await expectAccessible(buyer.page);
      const [you, them] = [seller.name, buyer.name];
      expect(await book(buyer.page)).toEqual([
        'You offered the deal 120.50 - -',
        `${seller.name} accepted the deal 120.50 - -`,
        'You paid Amanat - 120.50 -',
        'You asked to cancel - 120.50 -',
        `${you} declined the cancellation - 120.50 -`,
        'You asked to cancel - 120.50 -',
        `${you} accepted the cancellation 118.09 fee 2.41 -`,
      ]);
      expect((await book(seller.page)).slice(2)).toEqual([
        `${them} paid Amanat - 120.50 -`,
        `${them} asked to cancel - 120.50 -`,
        'You declined the cancellation - 120.50 -',
        `${them} asked to cancel - 120.50 -`,
        'You accepted the cancellation 118.09 fee 2.41 -',
      ]);
      expect([await wallet(buyer), await wallet(seller)]).toEqual(['147.59', '0.00']);
    });
  });

  test('is no longer offered after three requests; support is', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 40);
    const { id, path } = await paid(buyer, seller, { price: 40 });
    for (let request = 1; request <= 2; request += 1) {
      await post(seller, `/deals/deliver/${id}`);
      await post(buyer, `/deals/reset-delivery/${id}`, { text: 'Not yet as agreed.' });
    }
    await post(seller, `/deals/deliver/${id}`);
    await buyer.page.goto(path);
    const changes = await askTrouble(buyer.page, /^Request changes/);
    await says(changes, 'You have 1 of 3 requests left in this deal.');
    await changes.getByLabel('What should be changed?').fill('Still not as agreed.');
    await confirm(buyer.page, 'Request changes');
    await expect(toast(buyer.page, 'Changes requested')).toBeVisible();
    await says(buyer.page, `You requested changes. ${seller.name} must deliver again.`);

    const choices = await openTrouble(buyer.page);
    await says(choices, 'You have made all 3 requests that a deal allows. You can still open a dispute.');
    await expect(choices.getByRole('list').getByRole('button')).toHaveCount(0);
    await expectAccessible(buyer.page);
    await choices.getByRole('link', { name: /^Open a dispute/ }).click();
    await expect(buyer.page.getByRole('heading', { level: 1, name: 'Open a dispute' })).toBeVisible();
    expect(new URL(buyer.page.url()).pathname).toBe(`/deal/${id}/dispute`);
    await expectAccessible(buyer.page);
  });
});

test.describe('a deal that ends with the whole price back', () => {
  test('is left by the buyer when it is late, once, whatever he clicks', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 75.25);
    const { path } = await paid(buyer, seller, { price: 75.25, days: 1 });
    await buyer.page.goto(path);
    const before = await openTrouble(buyer.page);
    await says(before, /^If it isn’t delivered, you can cancel for a full refund from/);
    await expect(before.getByRole('button', { name: /^Cancel and get / })).toHaveCount(0);

    await hoursPass(buyer, 49);
    const second = await buyer.context.newPage();
    for (const page of [buyer.page, second]) {
      await hearNothing(page);
      await page.goto(path);
      await says(page, 'It wasn’t delivered on time. You can cancel the deal and get all $75.25 back.');
      const question = await ask(page, 'Cancel and get $75.25 back');
      await says(question, 'It ends now. All $75.25 is refunded to your balance; there is no fee.');
      expect(await facts(question)).toEqual(['Price: $75.25', 'Amanat’s fee: $0.00', 'You get back: $75.25']);
    }
    await expectAccessible(buyer.page);
    const leave = buyer.page.getByRole('alertdialog').getByRole('button', { name: 'Cancel and get $75.25 back' });
    await Promise.all([leave.dblclick(), confirm(second, 'Cancel and get $75.25 back')]);
    for (const page of [buyer.page, second]) await says(page, 'Cancelled by Buyer');
    await says(buyer.page, 'You cancelled it because it was late. All $75.25 was refunded to your balance.');
    await expectAccessible(buyer.page);

    await seller.page.goto(path);
    await says(seller.page, `${buyer.name} cancelled it because it was late. All $75.25 was refunded to ${buyer.name}.`);
    await expectAccessible(seller.page);
    expect((await book(seller.page)).at(-1)).toBe(`${buyer.name} cancelled the late deal 75.25 - -`);
    expect([await wallet(buyer), await wallet(seller)]).toEqual(['75.25', '0.00']);
    await buyer.page.goto('/balance');
    await says(buyer.page, 'From $0.00 to $75.25: $150.50 in, $75.25 out. Highest $75.25, lowest $0.00.');
  });

  test('is cancelled by the seller', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 64);
    const { path } = await paid(buyer, seller, { price: 64 });
    await seller.page.goto(path);
    const question = await askTrouble(seller.page, /^Cancel the deal/);
    await says(question, `It ends now. All $64.00 is refunded to ${buyer.name}, without a fee. This can’t be undone.`);
    await expectAccessible(seller.page);
    await confirm(seller.page, 'Cancel the deal');
    await expect(toast(seller.page, 'Deal cancelled and buyer refunded')).toBeVisible();
    await says(seller.page, 'Cancelled by Seller');
    await expectAccessible(seller.page);
    await buyer.page.goto(path);
    await says(buyer.page, `${seller.name} cancelled it. All $64.00 was refunded to your balance.`);
    await hold(buyer.page, 'The buyer has $64.00');
    expect([await wallet(buyer), await wallet(seller)]).toEqual(['64.00', '0.00']);
  });

  test('is accepted once in two tabs', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 50);
    const { id, path } = await paid(buyer, seller, { price: 50 });
    await post(buyer, `/deals/cancel/${id}`);
    const second = await seller.context.newPage();
    for (const page of [seller.page, second]) {
      await hearNothing(page);
      await page.goto(path);
      await ask(page, 'Accept cancellation');
    }
    const accept = second.getByRole('alertdialog').getByRole('button', { name: 'Accept cancellation' });
    await Promise.all([confirm(seller.page, 'Accept cancellation'), accept.dblclick()]);
    for (const page of [seller.page, second]) await says(page, `$49.00 was refunded to ${buyer.name}; the fee was $1.00.`);
    expect([await wallet(buyer), await wallet(seller)]).toEqual(['49.00', '0.00']);
  });
});
