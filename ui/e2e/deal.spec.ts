import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { fund, wallet } from './support/people';
import {
  act,
  ask,
  book,
  chooseStars,
  confirm,
  createDeal,
  facts,
  hold,
  openDeal,
  press,
  says,
  toast,
  whole,
} from './support/screen';
import { expect, test } from './support/test';

const [DESK, PHONE] = [1280, 360];

for (const [buyers, sellers, tag] of [
  [DESK, PHONE, []],
  [PHONE, DESK, ['@soak']],
] as const) {
  test.describe(`a whole deal, its buyer at ${buyers} px and its seller at ${sellers}`, { tag: [...tag] }, () => {
    test.use({ buyerLook: { width: buyers }, sellerLook: { width: sellers } });

    test('is delivered twice and released, with the same lines and sums on both sides', async ({ buyer, seller, admin }) => {
      await fund(admin, buyer, 400);

      const path = await test.step('An offer is accepted', async () => {
        await createDeal(buyer.page, { other: seller.name, role: 'Buyer', price: '333.33', days: '5', check: '10' });
        await expect(toast(buyer.page, 'Deal created!')).toBeVisible();
        const path = await openDeal(buyer.page);
        await says(buyer.page, '5 days to deliver, then 10 days of inspection');
        await expectAccessible(buyer.page);
        await openDeal(seller.page);
        await says(seller.page, `${buyer.name} wants to buy this for $333.33.`);
        await hold(seller.page, 'The buyer has $333.33');
        await expectAccessible(seller.page);
        await act(seller.page, 'Accept deal');
        await expect(toast(seller.page, 'Deal accepted')).toBeVisible();
        await says(seller.page, `Waiting for ${buyer.name}`);
        await expectAccessible(seller.page);
        return path;
      });

      await test.step('The buyer pays', async () => {
        const aside = buyer.page.getByRole('complementary', { name: 'Next step and amounts' });
        await says(aside, '$66.67');
        expect(await facts(aside)).toEqual(['Your balance: $400.00', 'Pay Amanat: − $333.33', 'Balance after: $66.67']);
        await press(buyer.page, 'Pay & Activate $333.33');
        await expect(toast(buyer.page, 'Deal activated!')).toBeVisible();
        await hold(buyer.page, 'Amanat holds $333.33');
      });

      await test.step('The seller delivers', async () => {
        await says(seller.page, '$333.33 is held by Amanat for you.');
        await act(seller.page, 'Mark as delivered');
        await expect(toast(seller.page, 'Seller has delivered the deal')).toBeVisible();
        await expectAccessible(seller.page);
      });

      await test.step('The buyer asks for changes, and the seller delivers again', async () => {
        const changes = await ask(buyer.page, 'Request changes');
        await says(changes, 'You have 3 of 3 requests left in this deal.');
        await expectAccessible(buyer.page);
        await changes.getByLabel('What should be changed?').fill('The last ten videos are missing.');
        await confirm(buyer.page, 'Request changes');
        await expect(toast(buyer.page, 'Changes requested')).toBeVisible();
        await says(buyer.page, `You requested changes. ${seller.name} must deliver again.`);
        await says(seller.page, `${buyer.name} requested changes. Deliver again.`);
        await says(seller.page, 'The last ten videos are missing.');
        await expectAccessible(seller.page);
        await act(seller.page, 'Mark as delivered');
        await expect(toast(seller.page, 'Seller has delivered the deal')).toBeVisible();
        expect([await wallet(buyer), await wallet(seller)]).toEqual(['66.67', '0.00']);
      });

      await test.step('The buyer releases the money and reviews', async () => {
        const release = await ask(buyer.page, 'Release $333.33');
        await says(release, `${seller.name} receives $326.66 now (fee $6.67). This can’t be undone.`);
        await confirm(buyer.page, 'Release $333.33');
        await expect(toast(buyer.page, 'Deal marked as completed')).toBeVisible();
        const stars = buyer.page.getByRole('dialog', { name: `How was ${seller.name}?` });
        await chooseStars(stars, 4);
        await stars.getByLabel('Your review').fill('Late by nothing, and all as agreed.');
        await expectAccessible(buyer.page);
        await stars.getByRole('button', { name: 'Submit review' }).click();
        await expect(toast(buyer.page, 'Review submitted!')).toBeVisible();
        await says(buyer.page, `You have reviewed ${seller.name}.`);
      });

      await test.step('Both have the same lines', async () => {
        await says(seller.page, `${buyer.name} released the money, and $326.66 went to your balance.`);
        for (const { page } of [buyer, seller]) {
          await hold(page, 'The seller has $326.66');
          await expectAccessible(page);
        }
        const lines = (buying: string, selling: string) => [
          `${buying} offered the deal 333.33 - -`,
          `${selling} accepted the deal 333.33 - -`,
          `${buying} paid Amanat - 333.33 -`,
          `${selling} delivered - 333.33 -`,
          `${buying} requested changes - 333.33 -`,
          `${selling} delivered - 333.33 -`,
          `${buying} released the money - fee 6.67 326.66`,
        ];
        expect(await book(buyer.page)).toEqual(lines('You', seller.name));
        expect(await book(seller.page)).toEqual(lines(buyer.name, 'You'));
        expect([await wallet(buyer), await wallet(seller)]).toEqual(['66.67', '326.66']);
        await buyer.page.goto(path);
        await says(buyer.page, `You have reviewed ${seller.name}.`);
      });
    });
  });
}

test.describe('on a phone', () => {
  test.use({ buyerLook: { width: 360, height: 740 }, sellerLook: { width: 360, height: 740 } });

  test('an active deal is short, and its act comes before the details', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 130);
    const { path } = await paid(buyer, seller, { price: 130 });
    for (const { page } of [buyer, seller]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: /^History/ })).toBeVisible();
      await whole(page);
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1_300);
    }
    const { page } = seller;
    await page.getByRole('main').focus();
    // The breadcrumb, the copy of the id, and the act.
    for (let press = 1; press <= 3; press += 1) await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Mark as delivered' })).toBeFocused();
  });
});
