import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { fund, hoursPass, lettersTo, type Person, post, verifyAddress, wallet } from './support/people';
import { book, heading, hold, says, toast } from './support/screen';
import { expect, test } from './support/test';

async function askSupport(buyer: Person, path: string) {
  const { page } = buyer;
  await page.goto(`/support?dealId=${path.replace('/deal/', '')}`);
  await expect(heading(page, 'Get support')).toBeVisible();
  await page.getByLabel('Issue description').fill('The photos are not mine.');
  await page.reload();
  await expectAccessible(page);
  await expect(page.getByLabel('Issue description')).toHaveValue('The photos are not mine.');
  await page.getByRole('button', { name: 'Submit request' }).click();
  await expect(toast(page, 'Your request has been sent to our support.')).toBeVisible();
  await says(page, 'Deadlines paused');
  expect(new URL(page.url()).pathname).toBe(path);
}

async function closeRequest(admin: Person, buyer: Person) {
  const { page } = admin;
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
    for (const person of [buyer, seller]) await verifyAddress(person);
    const plain = await paid(buyer, seller, { price: 100, description: 'A page for a bookshop' });
    const stopped = await paid(buyer, seller, { price: 14, description: 'Ten product photos' });
    for (const { id } of [plain, stopped]) await post(seller, `/deals/deliver/${id}`);
    await askSupport(buyer, stopped.path);
    for (const { page } of [buyer, seller]) await page.goto(plain.path);
    await says(buyer.page, `Auto-release to ${seller.name} in`);
    await says(seller.page, 'You’re paid automatically in');
    await expectAccessible(buyer.page);

    await test.step('The open pages tell of the end by themselves', async () => {
      await hoursPass(buyer, 73);
      await buyer.page
        .getByRole('dialog', { name: `How was ${seller.name}?` })
        .getByRole('button', { name: 'Later' })
        .click();
      await expect(buyer.page.getByText(`The inspection period ended, and ${seller.name} received $98.00.`)).toBeVisible();
      await expect(seller.page.getByText('The inspection period ended, and $98.00 was added to your balance.')).toBeVisible();
      for (const { page } of [buyer, seller]) {
        await hold(page, 'The seller has $98.00');
        expect((await book(page)).at(-1)).toBe('The inspection period ended - fee 2.00 98.00');
        await expectAccessible(page);
      }
      const told = 'The inspection period is over and the deal is completed. $98.00 went to the seller.';
      for (const person of [buyer, seller]) await expect.poll(() => lettersTo(person)).toContain(told);
    });

    await test.step('The clock of the other deal stands still', async () => {
      for (const { page } of [buyer, seller]) {
        await page.goto(stopped.path);
        await says(page, 'Deadlines paused');
        await says(page, 'Deadlines are paused while support reviews this deal.');
        await hold(page, 'Amanat holds $14.00');
        await expectAccessible(page);
      }
      expect([await wallet(buyer), await wallet(seller)]).toEqual(['0.00', '98.00']);
    });

    await test.step('The answer of support lets it go on', async () => {
      const fresh = await signedIn('admin');
      await closeRequest(fresh, buyer);
      for (const [{ page }, words] of [
        [buyer, `Auto-release to ${seller.name} in`],
        [seller, 'You’re paid automatically in'],
      ] as const) {
        await page.goto(stopped.path);
        await says(page, words);
        await expect.poll(() => book(page)).toContain('Support closed the request - 14.00 -');
        await expect(page.getByText('Deadlines paused')).toHaveCount(0);
        await expectAccessible(page);
      }
      await hoursPass(buyer, 73);
      await seller.page.goto(stopped.path);
      await expect(seller.page.getByText('The inspection period ended, and $13.72 was added to your balance.')).toBeVisible();
      expect([await wallet(buyer), await wallet(seller)]).toEqual(['0.00', '111.72']);
    });
  });
});
