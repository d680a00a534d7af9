import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { fund, type Person, post, wallet } from './support/people';
import { book, hold, says, toast } from './support/screen';
import { expect, test } from './support/test';

/** Finds the deal by its id and opens the question of a decision. */
async function decide({ page }: Person, id: string, title: string, name: string) {
  await page.goto('/admin/deals');
  await page.getByLabel('Deal ID').fill(id);
  await page.getByRole('link', { name: title }).click();
  const review = page.getByRole('dialog', { name: title });
  await expectAccessible(page);
  await review.getByRole('button', { name }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toBeVisible();
  await expectAccessible(page);
  return { review, question };
}

test.describe('an admin decides', () => {
  test('pays one seller and gives another deal back, and the parties see it by themselves', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 300);
    const good = await paid(buyer, seller, { price: 99.99, description: 'Two hundred cards' });
    const bad = await paid(buyer, seller, { price: 200.01, description: 'A wedding video' });
    await post(seller, `/deals/deliver/${good.id}`);
    await buyer.page.goto(good.path);
    await seller.page.goto(bad.path);
    await hold(buyer.page, 'Amanat holds $99.99');
    await hold(seller.page, 'Amanat holds $200.01');

    const paying = await decide(admin, good.id, 'Two hundred cards', 'Pay seller $97.99');
    await says(paying.question, `${seller.name} gets $97.99, fee $2.00. ${buyer.name} gets nothing back. This is final.`);
    await paying.question.getByRole('button', { name: 'Pay seller $97.99' }).click();
    await expect(toast(admin.page, 'Deal marked as completed')).toBeVisible();
    await says(paying.review, `${seller.name} gets $97.99.`);
    await expectAccessible(admin.page);

    const refunding = await decide(admin, bad.id, 'A wedding video', 'Refund $200.01');
    await says(
      refunding.question,
      `${buyer.name} gets the full $200.01 back, no fee. ${seller.name} gets nothing. This is final.`,
    );
    await refunding.question.getByRole('button', { name: 'Refund $200.01' }).click();
    await expect(toast(admin.page, 'Deal cancelled and buyer refunded')).toBeVisible();
    await says(refunding.review, `${buyer.name} gets the full $200.01 back.`);
    await expectAccessible(admin.page);

    // Their pages are open and hear of it.
    await expect(buyer.page.getByText(`Amanat made the decision: ${seller.name} received $97.99.`)).toBeVisible();
    await buyer.page
      .getByRole('dialog', { name: `How was ${seller.name}?` })
      .getByRole('button', { name: 'Later' })
      .click();
    await hold(buyer.page, 'The seller has $97.99');
    expect((await book(buyer.page)).at(-1)).toBe('Amanat released the money - fee 2.00 97.99');
    await expectAccessible(buyer.page);
    await expect(seller.page.getByText(`Amanat made the decision. All $200.01 was refunded to ${buyer.name}.`)).toBeVisible();
    await hold(seller.page, 'The buyer has $200.01');
    expect((await book(seller.page)).at(-1)).toBe('Amanat cancelled the deal 200.01 - -');
    await expectAccessible(seller.page);
    expect([await wallet(buyer), await wallet(seller)]).toEqual(['200.01', '97.99']);

    await admin.page.goto('/admin/deals');
    await admin.page.getByLabel('Deal ID').fill('00000000-0000-4000-8000-000000000000');
    await says(admin.page, 'No deal has this ID.');
  });
});
