import type { Page } from '@playwright/test';
import { conversation, log, write } from './support/chat';
import { paid } from './support/deals';
import { goOffline, quiet } from './support/network';
import { fund, hoursPass, post } from './support/people';
import { says } from './support/screen';
import { expect, test } from './support/test';

const DAY = 86_400_000;
const ALMOST_A_DAY = 23 + 59.05 / 60;

const words = (page: Page) => page.getByRole('main').innerText();

test.beforeEach(({ admin, buyer }) => fund(admin, buyer, 20));

test.describe('the countdown', { tag: '@soak' }, () => {
  test('passes its due time on the screen, without a connection too', async ({ buyer, seller }) => {
    const { path } = await paid(buyer, seller, { price: 20, days: 1, description: 'Due in a moment' });
    await hoursPass(buyer, ALMOST_A_DAY);
    await seller.page.clock.install();
    await seller.page.goto(path);
    await expect(seller.page.getByRole('timer', { name: 'Due in 0 days 0 hours 0 minutes' })).toBeVisible();
    await buyer.page.clock.install();
    await buyer.page.goto('/deal?tab=active');
    await says(buyer.page, 'Due in 0 days 0 hours 0 minutes');

    // These pages get no more events: their own clock turns.
    for (const { context, page } of [buyer, seller]) {
      await goOffline(context);
      await page.clock.fastForward('01:00');
      await says(page, 'Due Now');
    }
    await expect(seller.page.getByRole('timer', { name: /0 days 0 hours 0 minutes/ })).toHaveCount(0);

    // The server's time decides.
    await hoursPass(buyer, 1 / 60);
    for (const { context } of [buyer, seller]) await context.setOffline(false);
    await seller.page.reload();
    await says(seller.page, 'Late');
    await says(seller.page, 'Due Now');
  });
});

test.describe('a device whose clock is wrong', { tag: '@soak' }, () => {
  for (const { by, shift } of [
    { by: 'a day ahead', shift: DAY },
    { by: 'a day behind', shift: -DAY },
  ]) {
    test(`${by} shows the same times`, async ({ buyer, seller, admin }) => {
      await fund(admin, buyer, 20);
      const { id, path } = await paid(buyer, seller, { price: 10, days: 3 });
      await post(seller, `/deals/deliver/${id}`);
      const chat = await conversation(buyer, seller);
      await write(seller, chat, 'Just now');
      const right = await buyer.context.newPage();
      const wrong = await buyer.context.newPage();
      await wrong.clock.install({ time: Date.now() + shift });
      for (const address of [path, '/deal?tab=delivered', `/inbox/${chat}`]) {
        for (const page of [right, wrong]) await page.goto(address);
        for (const page of [right, wrong]) await quiet(page);
        // Repeated, because a minute may pass between two looks.
        await expect
          .poll(async () => {
            const [one, other] = [await words(wrong), await words(right)];
            return one !== '' && one === other;
          })
          .toBe(true);
      }
      await says(log(wrong), 'Today');
      await wrong.goto(path);
      await expect(wrong.getByRole('timer', { name: /^Due in [23] days/ })).toBeVisible();
    });
  }
});
