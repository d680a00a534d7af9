import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { DEMO_PASSWORD, fund, idOf, post, wallet } from './support/people';
import { heading, says, toast, unfold } from './support/screen';
import { expect, test } from './support/test';

test.describe('the referral programme', () => {
  test('pays the referrer for a friend’s completed deal, and the balance tells how', async ({ visit, newcomer, admin }) => {
    const { referrer, page, link } = await test.step('The referrer copies a link', async () => {
      const referrer = await newcomer('rafi', { width: 360 });
      const { page } = referrer;
      await referrer.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto('/refer');
      await says(page, 'Nobody has joined with your link yet.');
      await page.getByRole('button', { name: /^Copy link/ }).click();
      await expect(toast(page, 'Referral link copied')).toBeVisible();
      await expectAccessible(page);
      const link = await page.evaluate(() => navigator.clipboard.readText());
      expect(link).toBe(await page.getByText(/\/referral\//).textContent());
      return { referrer, page, link };
    });

    const friend = await test.step('A friend joins with it', async () => {
      const visitor = await visit();
      const friend = { ...visitor, name: `${referrer.name}-friend`, id: '' };
      await friend.page.goto(link);
      await expect(heading(friend.page, 'Create Account')).toBeVisible();
      await friend.page.getByLabel('Username').fill(friend.name);
      await friend.page.getByLabel('Email').fill(`${friend.name}@example.com`);
      await friend.page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
      await friend.page.getByRole('button', { name: 'Sign up' }).click();
      await expect(heading(friend.page, friend.name)).toBeVisible();
      friend.id = await idOf(friend.context.request);
      return friend;
    });

    await test.step('The friend completes a deal', async () => {
      const buyer = await newcomer('nusrat');
      await fund(admin, buyer, 200);
      const { id } = await paid(buyer, friend, { price: 149.99 });
      await post(buyer, `/deals/complete/${id}`);
      await expect.poll(() => wallet(referrer)).toBe('1.49');
    });

    await test.step('The referrer sees the reward', async () => {
      await page.reload();
      await says(page.locator('[data-slot="stat"]', { hasText: 'Friends who joined' }), '1');
      await says(page.locator('[data-slot="stat"]', { hasText: 'Earned' }), '$1.49');
      await expectAccessible(page);
      await page.goto('/balance');
      await says(await unfold(page, 'Balance over time'), '$1.49 came in, $0.00 went out. Highest $1.49, lowest $0.00.');
      await says(page.getByRole('row', { name: /^Referral reward/ }), '+ 1.49');
      await expectAccessible(page);
    });
  });
});
