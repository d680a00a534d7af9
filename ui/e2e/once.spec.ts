import { type Deal, offer } from './support/deals';
import { goOffline, holdAnswer, loseAnswer } from './support/network';
import { fund, type Person, wallet } from './support/people';
import { ask, confirm, hold, says, toast } from './support/screen';
import { expect, test } from './support/test';

const PAY = '**/api/deals/pay/*';

const payment = (price: number) => `Pay & Activate $${price}.00`;

/** Opens a deal and its payment dialog. */
async function openQuestion({ page }: Person, { path }: Deal, price: number): Promise<void> {
  await page.goto(path);
  await ask(page, payment(price));
}

/** The deal is paid, with this much left in the wallet. */
async function expectPaid(buyer: Person, price: number, left: string): Promise<void> {
  await hold(buyer.page, `Amanat holds $${price}.00`);
  await expect(buyer.page.getByRole('button', { name: /^Pay & Activate/ })).toHaveCount(0);
  expect(await wallet(buyer)).toBe(left);
}

test('a payment is made once, whatever becomes of the connection and the page', async ({ buyer, seller, admin }) => {
  const { page, context } = buyer;
  await fund(admin, buyer, 100);

  await test.step('Its answer is lost', async () => {
    await openQuestion(buyer, await offer(buyer, seller, { price: 20 }), 20);
    await loseAnswer(page, PAY);
    await confirm(page, payment(20));
    await expectPaid(buyer, 20, '80.00');
  });

  await test.step('The page is reloaded while its answer is awaited', async () => {
    await openQuestion(buyer, await offer(buyer, seller, { price: 30 }), 30);
    const { done } = await holdAnswer(page, PAY);
    await confirm(page, payment(30));
    await done;
    await page.reload();
    await expectPaid(buyer, 30, '50.00');
  });

  await test.step('Without a connection it takes nothing, and can be made when it is back', async () => {
    await openQuestion(buyer, await offer(buyer, seller, { price: 35 }), 35);
    await goOffline(context);
    await confirm(page, payment(35));
    await expect(toast(page, 'Failed to activate deal')).toBeVisible();
    await says(page, 'You are offline. What you see may be out of date.');
    expect(await wallet(buyer)).toBe('50.00');
    await context.setOffline(false);
    await confirm(page, payment(35));
    await expect(toast(page, 'Deal activated!')).toBeVisible();
    await expectPaid(buyer, 35, '15.00');
  });
});
