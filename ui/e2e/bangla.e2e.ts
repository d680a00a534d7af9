import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortId } from '@/lib/deal-title';
import { expectAccessible, launch } from './support/browser';
import { paid } from './support/deals';
import { admin, fund, newcomer, type Person, post } from './support/people';
import { heading, whole } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const TITLE = 'বইয়ের দোকানের পেজ';

/** Words and figures on the page that are not Bangla, but for these names: what is read, and what is read out. */
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

describe('in Bangla', () => {
  it.each([{ width: 1280 }, { width: 360 }])('nothing is left in English at $width px', async ({ width }) => {
    const look = { language: 'bn', width } as const;
    const boss = await admin(browser, look);
    const buyer = await newcomer(browser, 'nusrat', look);
    const seller = await newcomer(browser, 'tanvir', look);
    await fund(boss, buyer, 250);
    // The key that leads to the messages has the same name in every language.
    const names = [buyer.name, seller.name, 'alt+T'];
    const { id, path } = await paid(buyer, seller, { price: 123.45, description: TITLE });
    await post(buyer, `/deals/cancel/${id}`);
    names.push(shortId(id));

    for (const person of [buyer, seller]) {
      await person.page.goto(path);
      await heading(person.page, TITLE).waitFor();
      await whole(person.page);
      expect(await foreign(person, ...names)).toEqual([]);
      await expectAccessible(person.page);
    }
    await buyer.page.getByText('$১২৩.৪৫').first().waitFor();
    await seller.page.getByRole('main').getByRole('button', { name: 'বাতিল মেনে নিন' }).first().click();
    await seller.page.getByRole('alertdialog').waitFor();
    expect(await foreign(seller, ...names)).toEqual([]);

    await buyer.page.goto(`/support?dealId=${id}`);
    await heading(buyer.page, 'সহায়তা নিন').waitFor();
    await whole(buyer.page);
    expect(await foreign(buyer, ...names)).toEqual([]);
    await expectAccessible(buyer.page);
    await buyer.page.goto('/refer');
    await buyer.page.getByText(/\/referral\//).waitFor();
    await whole(buyer.page);
    expect(await foreign(buyer, ...names)).toEqual([]);
    await expectAccessible(buyer.page);

    await boss.page.goto(`/admin/deals?dealId=${id}`);
    await boss.page.getByRole('link', { name: TITLE }).click();
    await boss.page.getByRole('dialog', { name: TITLE }).waitFor();
    await whole(boss.page);
    expect(await foreign(boss, ...names, 'admin')).toEqual([]);
    await expectAccessible(boss.page);
  });
});
