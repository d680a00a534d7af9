import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { fund, post, wallet } from './support/people';
import { book, hold, says, toast } from './support/screen';
import { expect, test } from './support/test';

test.describe('an admin', () => {
  test('finds a deal by its id and pays its seller, who sees it without a reload', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 100);
    const { id, path } = await paid(buyer, seller, { price: 99.99, description: 'Two hundred cards' });
    await post(seller, `/deals/deliver/${id}`);
    await seller.page.goto(path);
    await hold(seller.page, 'Amanat holds $99.99');

    const { page } = admin;
    await page.goto('/admin/deals');
    await page.getByLabel('Deal ID').fill(id);
    await page.getByRole('link', { name: 'Two hundred cards' }).click();
    const review = page.getByRole('dialog', { name: 'Two hundred cards' });
    await expectAccessible(page);
    await review.getByRole('button', { name: 'Pay seller $97.99' }).click();
    const question = page.getByRole('alertdialog');
    await says(question, `${seller.name} gets $97.99, fee $2.00. ${buyer.name} gets nothing back. This is final.`);
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Pay seller $97.99' }).click();
    await expect(toast(page, 'Deal marked as completed')).toBeVisible();
    await says(review, `${seller.name} gets $97.99.`);
    await expectAccessible(page);

    await expect(seller.page.getByText(/Amanat made the decision/)).toBeVisible();
    await hold(seller.page, 'The seller has $97.99');
    expect((await book(seller.page)).at(-1)).toBe('Amanat released the money - fee 2.00 97.99');
    expect([await wallet(buyer), await wallet(seller)]).toEqual(['0.01', '97.99']);
  });
});
