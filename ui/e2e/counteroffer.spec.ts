import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { offer } from './support/deals';
import { provoke, REFUSED } from './support/faults';
import { fund, wallet } from './support/people';
import { book, facts, hold, press, says, toast } from './support/screen';
import { expect, test } from './support/test';

/** Shorter than any polling interval with a connection. */
const AT_ONCE = { timeout: 20_000 };

/** The terms side by side in the card. */
const compared = (page: Page, title: string): Promise<string[]> =>
  page
    .getByRole('region', { name: title })
    .getByRole('row')
    .evaluateAll((rows) => rows.slice(1).map((row) => [...row.children].map((cell) => cell.textContent).join(' ')));

test.describe('a price on which the two have yet to agree', () => {
  test.use({ buyerLook: { width: 1280 }, sellerLook: { width: 360, language: 'bn' } });

  test('is changed by both, and paid as it was agreed on last', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 400);
    const { path } = await offer(buyer, seller, { price: 200, description: 'A page for a bookshop', days: 7 });
    await buyer.page.goto(path);
    await says(buyer.page, `You offered ${seller.name} $200.00 for this.`);

    await test.step('The seller wants $250 and five days, on a phone and in Bangla', async () => {
      const { page } = seller;
      await page.goto(path);
      await page.getByRole('button', { name: 'পাল্টা প্রস্তাব দিন' }).click();
      const dialog = page.getByRole('dialog', { name: 'পাল্টা প্রস্তাব দিন' });
      await expect(dialog.getByLabel('দাম')).toHaveValue('200');
      await expectAccessible(page);
      provoke(seller.context, REFUSED);
      await dialog.getByRole('button', { name: 'পাল্টা প্রস্তাব পাঠান' }).click();
      await says(dialog, 'দাম, সময় বা বিবরণ কিছু একটা বদলান।');
      await dialog.getByLabel('দাম').fill('২৫০');
      expect(await facts(dialog)).toContain('আপনি পাবেন: $২৪৫.০০');
      const days = dialog.getByRole('group', { name: 'ডেলিভারির সময়' });
      await days.getByText('অন্য').click();
      await days.getByRole('textbox').fill('৫');
      await dialog.getByLabel('বিবরণ').fill('A page for a bookshop\nWith a catalogue.');
      await dialog.getByLabel(/-কে কিছু জানান/).fill('ক্যাটালগের কাজটা আলাদা।');
      await expectFits(page);
      await dialog.getByRole('button', { name: 'পাল্টা প্রস্তাব পাঠান' }).click();
      await expect(toast(page, 'পাল্টা প্রস্তাব পাঠানো হয়েছে')).toBeVisible();
      await says(page, `${buyer.name}-এর উত্তরের অপেক্ষায়। তার আগে পেমেন্ট করা যাবে না।`);
      await expect(page.getByRole('button', { name: 'ডিল গ্রহণ করুন' })).toHaveCount(0);
      await expectAccessible(page);
      await expectFits(page);
    });

    await test.step('The buyer reads both terms and wants $225', async () => {
      const { page } = buyer;
      const title = `Counter-offer from ${seller.name}`;
      // The open page is updated.
      await expect(page.getByRole('region', { name: title })).toBeVisible(AT_ONCE);
      expect(await compared(page, title)).toEqual([
        'Price $200.00 $250.00',
        'Delivery 7 days 5 days',
        'Inspection period 3 days 3 days',
      ]);
      await says(page, 'With a catalogue.');
      await says(page, 'ক্যাটালগের কাজটা আলাদা।');
      await says(page, 'This deal cannot be accepted or paid until you have answered the counter-offer.');
      await expect(page.getByRole('button', { name: /Pay/ })).toHaveCount(0);
      await expectAccessible(page);

      await page.goto('/dashboard');
      await page.getByText(`${seller.name} proposes other terms. Please answer.`).click();
      await page.getByRole('button', { name: 'Propose other terms' }).click();
      const dialog = page.getByRole('dialog', { name: 'Propose other terms' });
      await expect(dialog.getByLabel('Price')).toHaveValue('250');
      await expect(dialog.getByLabel('Deliver within: number of days')).toHaveValue('5');
      await dialog.getByLabel('Price').fill('225');
      expect(await facts(dialog)).toEqual(['You pay: $225.00', 'Amanat’s fee, 2%: − $4.50', `${seller.name} gets: $220.50`]);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Send counter-offer' }).click();
      await expect(toast(page, 'Counter-offer sent')).toBeVisible();
      await says(page, `You proposed other terms. Waiting for ${seller.name} to answer. Nothing is paid yet.`);
      await expectAccessible(page);
    });

    await test.step('The seller accepts with one press', async () => {
      const { page } = seller;
      await expect(page.getByRole('region', { name: `${buyer.name}-এর পাল্টা প্রস্তাব` })).toBeVisible(AT_ONCE);
      await expectAccessible(page);
      await page.getByRole('group', { name: 'পরের ধাপ আর হিসাব' }).getByRole('button', { name: 'রাজি' }).click();
      await expect(toast(page, 'পাল্টা প্রস্তাবে রাজি হয়েছেন')).toBeVisible();
      await says(page, `আপনি আর ${buyer.name} $২২৫.০০ দামে রাজি হয়েছেন।`);
      await expectAccessible(page);
      await expectFits(page);
    });

    await test.step('The buyer pays what they agreed on', async () => {
      const { page } = buyer;
      await expect(page.getByText(`You and ${seller.name} agreed on $225.00.`)).toBeVisible(AT_ONCE);
      await says(page, 'With a catalogue.');
      await expectAccessible(page);
      await press(page, 'Pay & Activate $225.00');
      await expect(toast(page, 'Deal activated!')).toBeVisible();
      await hold(page, 'Amanat holds $225.00');
      expect(await wallet(buyer)).toBe('175.00');
      const lines = await book(page);
      expect(lines).toHaveLength(5);
      expect(lines[0]).toBe('You offered the deal - - -');
      expect(lines[1]).toMatch(/\$250\.00.* - - -$/);
      expect(lines[3]).toMatch(/\$225\.00.* 225\.00 - -$/);
      expect(lines[4]).toBe('You paid Amanat - 225.00 -');
      await expectAccessible(page);
    });
  });
});
