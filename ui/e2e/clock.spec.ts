import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { fund, hoursPass, type Person, post, wallet } from './support/people';
import { book, heading, hold, says, toast } from './support/screen';
import { expect, test } from './support/test';

async function askSupport({ page }: Person, path: string) {
  await page.goto(`/support?dealId=${path.replace('/deal/', '')}`);
  await expect(heading(page, 'Get support')).toBeVisible();
  await page.getByLabel('Issue description').fill('The photos are not mine.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Submit request' }).click();
  await expect(toast(page, 'Your request has been sent to our support.')).toBeVisible();
  await says(page, 'Deadlines paused');
  expect(new URL(page.url()).pathname).toBe(path);
}

async function closeRequest({ page }: Person, buyer: Person) {
  await page.goto('/admin/support-requests');
  await page.getByRole('link', { name: buyer.name }).click();
  const review = page.getByRole('dialog', { name: `${buyer.name} asks for help` });
  await says(review, 'The photos are not mine.');
  await says(review, `${buyer.name}, the buyer`);
  await expectAccessible(page);
  await review.getByRole('button', { name: 'Close request' }).click();
  const question = page.getByRole('alertdialog', { name: `Close ${buyer.name}’s request?` });
  await says(question, /^Deadlines resume\..* at least 24 hours are left\.$/);
  await expectAccessible(page);
  await question.getByLabel('Your answer').fill('The photos are yours to use.');
  await question.getByRole('button', { name: 'Close request' }).click();
  await expect(toast(page, 'Support request closed')).toBeVisible();
}

test.describe('a delivered deal that nobody touches', () => {
  test('is completed by itself, but not while support looks at it', async ({ signedIn, buyer, seller, admin }) => {
    await fund(admin, buyer, 114);
    const plain = await paid(buyer, seller, { price: 100, description: 'A page for a bookshop' });
    const stopped = await paid(buyer, seller, { price: 14, description: 'Ten product photos' });
    for (const { id } of [plain, stopped]) await post(seller, `/deals/deliver/${id}`);
    await askSupport(buyer, stopped.path);
    await seller.page.goto(plain.path);
    await says(seller.page, 'You’re paid automatically in');

    await test.step('The open page tells of the end by itself', async () => {
      await hoursPass(buyer, 73);
      const { page } = seller;
      await expect(page.getByText('The inspection period ended, and $98.00 was added to your balance.')).toBeVisible();
      await hold(page, 'The seller has $98.00');
      expect((await book(page)).at(-1)).toBe('The inspection period ended - fee 2.00 98.00');
      await expectAccessible(page);
    });

    await test.step('The clock of the other deal stands still', async () => {
      const { page } = buyer;
      await says(page, 'Support is reviewing this deal. Deadlines are paused.');
      await hold(page, 'Amanat holds $14.00');
      await expectAccessible(page);
      expect([await wallet(buyer), await wallet(seller)]).toEqual(['0.00', '98.00']);
    });

    await test.step('The answer of support lets it go on', async () => {
      await closeRequest(await signedIn('admin'), buyer);
      const { page } = buyer;
      await says(page, `Auto-release to ${seller.name} in`);
      await expect.poll(() => book(page)).toContain('Support closed the request - 14.00 -');
      await expect(page.getByText('Deadlines paused')).toHaveCount(0);
      await expectAccessible(page);
      await hoursPass(buyer, 73);
      await expect.poll(() => wallet(seller)).toBe('111.72');
    });
  });
});
