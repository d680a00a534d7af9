import { offer } from './support/deals';
import { goOffline, holdAnswer, loseAnswer } from './support/network';
import { fund, type Person, wallet } from './support/people';
import { hold, press, says, toast } from './support/screen';
import { expect, test } from './support/test';

const PAY = '**/api/deals/pay/*';

const payment = (price: number) => `Pay & Activate $${price}.00`;

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
    await page.goto((await offer(buyer, seller, { price: 20 })).path);
    await loseAnswer(page, PAY);
    await press(page, payment(20));
    await expectPaid(buyer, 20, '80.00');
  });

  await test.step('The page is reloaded while its answer is awaited', async () => {
    await page.goto((await offer(buyer, seller, { price: 30 })).path);
    const { done } = await holdAnswer(page, PAY);
    await press(page, payment(30));
    await done;
    await page.reload();
    await expectPaid(buyer, 30, '50.00');
  });

  await test.step('Without a connection it takes nothing, and can be made when it is back', async () => {
    await page.goto((await offer(buyer, seller, { price: 35 })).path);
    await says(page, payment(35));
    await goOffline(context);
    // Its line moves the page, and a press on what moves away is lost.
    await says(page, 'You are offline. What you see may be out of date.');
    await press(page, payment(35));
    await expect(toast(page, 'Failed to activate deal')).toBeVisible();
    expect(await wallet(buyer)).toBe('50.00');
    await context.setOffline(false);
    await press(page, payment(35));
    await expect(toast(page, 'Deal activated!')).toBeVisible();
    await expectPaid(buyer, 35, '15.00');
  });
});
