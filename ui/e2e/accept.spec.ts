import { expectAccessible } from './support/checks';
import { offer } from './support/deals';
import { fund, type Person, post, wallet } from './support/people';
import { act, ask, book, confirm, hold, says, toast } from './support/screen';
import { expect, test } from './support/test';

/** What everybody sees of how somebody's deals ended. */
async function score({ context }: Person, { name }: Person): Promise<number | null> {
  const answer = await context.request.get(`/api/auth/profile/${name}`);
  return ((await answer.json()) as { successScore: number | null }).successScore;
}

test.describe('a deal that the buyer made', () => {
  test('is paid, declined by its seller, and counts for nobody', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 200);
    const done = await offer(buyer, seller, { price: 10 });
    await post(buyer, `/deals/pay/${done.id}`);
    await post(buyer, `/deals/complete/${done.id}`);
    expect(await score(buyer, seller)).toBe(100);

    const { path } = await offer(buyer, seller, { price: 123.45, description: 'Twenty banners' });
    await buyer.page.goto(path);
    await says(buyer.page, `You offered ${seller.name} $123.45 for this.`);
    await says(buyer.page, `If you pay now, ${seller.name} can still decline. You then get all your money back.`);
    await expectAccessible(buyer.page);
    await act(buyer.page, 'Pay & Activate $123.45');
    await expect(toast(buyer.page, 'Deal activated!')).toBeVisible();
    expect(await wallet(buyer)).toBe('66.55');
    await expectAccessible(buyer.page);

    await seller.page.goto('/dashboard');
    await seller.page.getByText(`${buyer.name} wants a deal for $123.45: accept or decline`).click();
    await says(seller.page, `Accept the deal, or decline it and ${buyer.name} gets everything back.`);
    await expectAccessible(seller.page);
    const question = await ask(seller.page, 'Decline');
    await says(question, `all $123.45 is refunded to ${buyer.name}.`);
    await expectAccessible(seller.page);
    await confirm(seller.page, 'Decline');
    await expect(toast(seller.page, 'Deal cancelled and buyer refunded')).toBeVisible();
    await says(seller.page, `You declined it. All $123.45 was refunded to ${buyer.name}.`);
    await expectAccessible(seller.page);

    await buyer.page.reload();
    await says(buyer.page, `${seller.name} declined it. All $123.45 was refunded to your balance.`);
    await hold(buyer.page, 'The buyer has $123.45');
    expect((await book(buyer.page)).at(-1)).toBe(`${seller.name} declined the deal 123.45 - -`);
    expect([await wallet(buyer), await wallet(seller)]).toEqual(['190.00', '9.80']);
    for (const person of [buyer, seller]) expect(await score(buyer, person)).toBe(100);
  });

  test('is accepted by its seller on a phone', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 50);
    const { path } = await offer(buyer, seller, { price: 40 });
    await seller.page.goto(path);
    await says(seller.page, 'Nothing is paid yet. Accept or decline it.');
    await seller.page.locator('[data-slot="move-bar"]').getByRole('button', { name: 'Accept deal' }).click();
    await confirm(seller.page, 'Accept deal');
    await expect(toast(seller.page, 'Deal accepted')).toBeVisible();
    await says(seller.page, `Waiting for ${buyer.name} to pay. You do not need to do anything yet.`);

    await buyer.page.goto(path);
    await says(buyer.page, `Nothing is paid yet. ${seller.name} starts when you have paid.`);
    await act(buyer.page, 'Pay & Activate $40.00');
    await expect(toast(buyer.page, 'Deal activated!')).toBeVisible();
    await seller.page.reload();
    await act(seller.page, 'Mark as delivered');
    await expect(toast(seller.page, 'Seller has delivered the deal')).toBeVisible();
    expect((await book(seller.page)).slice(1, 3)).toEqual([
      'You accepted the deal 40.00 - -',
      `${buyer.name} paid Amanat - 40.00 -`,
    ]);
  });
});
