import { shortId } from '@/entities/deal/title';
import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { fund, type Person, post } from './support/people';
import { heading, whole } from './support/screen';
import { expect, test } from './support/test';

const TITLE = 'বইয়ের দোকানের পেজ';

/** Words and figures on the page, visible or announced, that are not Bangla, except these names. */
async function foreign({ page }: Person, ...names: string[]): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      if (element.closest('[lang="en"], script, style')) continue;
      for (const name of ['aria-label', 'placeholder', 'alt', 'title']) found.push(element.getAttribute(name) ?? '');
      if (!element.checkVisibility()) continue;
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent ?? '');
    }
    return found;
  });
  const ours = texts.map((text) => names.reduce((rest, name) => rest.replaceAll(name, ''), text).trim());
  return [...new Set(ours.filter((text) => /[a-z]{2}|\d/i.test(text)))];
}

for (const [width, tag] of [
  [360, []],
  [1280, ['@soak']],
] as const) {
  const look = { language: 'bn', width } as const;

  test.describe(`in Bangla at ${width} px`, { tag: [...tag] }, () => {
    test.use({ look, buyerLook: look, sellerLook: look });

    test('nothing is left in English', async ({ buyer, seller, admin }) => {
      await fund(admin, buyer, 250);
      // The key has the same name in every language.
      const names = [buyer, seller].flatMap(({ name }) => [`${name}@example.com`, name]).concat('alt+T');
      const { id, path } = await paid(buyer, seller, { price: 123.45, description: TITLE });
      await post(buyer, `/deals/cancel/${id}`);
      names.push(shortId(id));

      for (const person of [buyer, seller]) {
        await person.page.goto(path);
        await expect(heading(person.page, TITLE)).toBeVisible();
        await whole(person.page);
        expect(await foreign(person, ...names)).toEqual([]);
        await expectAccessible(person.page);
      }
      await expect(buyer.page.getByText('$১২৩.৪৫').first()).toBeVisible();
      await seller.page.getByRole('main').getByRole('button', { name: 'বাতিলে রাজি' }).first().click();
      await expect(seller.page.getByRole('alertdialog')).toBeVisible();
      expect(await foreign(seller, ...names)).toEqual([]);

      await buyer.page.goto(`/support?dealId=${id}`);
      await expect(heading(buyer.page, 'সহায়তা নিন')).toBeVisible();
      await whole(buyer.page);
      expect(await foreign(buyer, ...names)).toEqual([]);
      await expectAccessible(buyer.page);
      await buyer.page.goto('/refer');
      await expect(buyer.page.getByText(/\/referral\//)).toBeVisible();
      await whole(buyer.page);
      expect(await foreign(buyer, ...names)).toEqual([]);
      await expectAccessible(buyer.page);

      await admin.page.goto(`/admin/deals?dealId=${id}`);
      await admin.page.getByRole('link', { name: TITLE }).click();
      await expect(admin.page.getByRole('dialog', { name: TITLE })).toBeVisible();
      await whole(admin.page);
      expect(await foreign(admin, ...names, 'admin')).toEqual([]);
      await expectAccessible(admin.page);
    });
  });
}
