import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { DEMO_PASSWORD, fund, idOf, post, wallet } from './support/people';
import { heading, says, toast } from './support/screen';
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

    const { buyer, path } = await test.step('The friend completes a deal', async () => {
      const buyer = await newcomer('nusrat');
      await fund(admin, buyer, 200);
      const { id, path } = await paid(buyer, friend, { price: 149.99 });
      await post(buyer, `/deals/complete/${id}`);
      await expect.poll(() => wallet(referrer)).toBe('1.49');
      return { buyer, path };
    });

    await test.step('The referrer sees the reward', async () => {
      await page.reload();
      await says(page.locator('[data-slot="stat"]', { hasText: 'Friends who joined' }), '1');
      await says(page.locator('[data-slot="stat"]', { hasText: 'Earned' }), '$1.49');
      await expectAccessible(page);
      await page.goto('/balance');
      await says(page, 'From $0.00 to $1.49: $1.49 in, $0.00 out. Highest $1.49, lowest $0.00.');
      await page.getByText('Show 1 transaction').click();
      await says(page.getByRole('row', { name: /^Referral reward/ }), '+ 1.49');
      await expectAccessible(page);
    });

    await test.step('The buyer’s balance tells the same story in its chart and its list', async () => {
      await buyer.page.goto('/balance');
      await says(buyer.page, 'From $0.00 to $50.01: $200.00 in, $149.99 out. Highest $200.00, lowest $0.00.');
      await buyer.page.getByText('Show all 2 transactions').click();
      const moves = buyer.page.getByRole('table').filter({ hasText: 'Deal payment' }).locator('tbody tr');
      const cells = await moves.evaluateAll((rows) =>
        rows.map((row) => {
          const [what, ...figures] = row.querySelectorAll('td');
          return [what?.firstElementChild, ...figures].map((cell) => cell?.textContent);
        }),
      );
      expect(cells).toEqual([
        ['Deal payment', '− 149.99', '50.01'],
        ['Deposit', '+ 200.00', '200.00'],
      ]);
      await expectAccessible(buyer.page);
      await buyer.page.getByRole('link', { name: 'Deal payment' }).click();
      // A completed deal asks for a review, in a dialog that hides the page behind it.
      await buyer.page.getByRole('dialog').getByRole('button', { name: 'Later' }).click();
      await expect(heading(buyer.page, 'A page for a bookshop')).toBeVisible();
      expect(new URL(buyer.page.url()).pathname).toBe(path);
    });
  });
});
