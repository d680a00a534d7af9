import type { Locator, Page } from '@playwright/test';
import { dealWords } from '@/i18n/bn/deal-line';
import { deals, delivery } from '@/i18n/bn/deals';
import { log, photo } from './support/chat';
import { expectAccessible, expectFits } from './support/checks';
import { paid } from './support/deals';
import { fund } from './support/people';
import { ask, confirm, question, says, toast, unfold, whole } from './support/screen';
import { expect, test } from './support/test';

const TITLE = 'A page for a bookshop';
const WORDS = 'পেজের সব অ্যাক্সেস দিয়ে দিয়েছি, ইনবক্স দেখুন।';
const CHANGES = 'The address in the footer is wrong.';

/** A text with its parameters. */
const said = (text: string, params: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);

/** Waits until so many pictures are loaded. */
async function drawn(pictures: Locator, count: number): Promise<void> {
  await expect(pictures).toHaveCount(count);
  await expect
    .poll(() => pictures.evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length))
    .toBe(count);
}

const picturesIn = (where: Page | Locator) => where.getByRole('img', { name: /[Pp]icture \d of|ছবি, / });

/** Pages from one picture to the next and closes the viewer. */
async function goThrough(page: Page, picture: Locator): Promise<void> {
  await picture.click();
  const viewer = page.getByRole('dialog');
  await says(viewer, '1 of 2');
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  await says(viewer, '2 of 2');
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);
}

test.describe('words and pictures go with a deal', () => {
  test.use({ sellerLook: { language: 'bn', width: 360, height: 740 } });

  test('a delivery with both, changes that are asked for, and another delivery', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 100);
    const { path } = await paid(buyer, seller, { price: 90 });
    const { page } = seller;
    const button = page.getByRole('main').getByRole('button', { name: deals['act.deliver'] }).first();
    const text = page.getByLabel(said(delivery.text, { name: buyer.name }));

    await test.step('The seller writes, adds two pictures, and loses none of it to Back and a reload', async () => {
      await page.goto(path);
      await button.click();
      await text.fill(WORDS);
      const file = { name: 'page.png', mimeType: 'image/png', buffer: await photo(page) };
      await page.getByLabel(delivery['pictures.add']).setInputFiles([file, file]);
      await expect(page.getByText(said(delivery['pictures.some'], { done: '২', count: '২' }))).toBeAttached();
      await expectAccessible(page);
      await expectFits(page);
      await page.goBack();
      await expect(question(page)).toHaveCount(0);
      await page.reload();
      await button.click();
      await expect(text).toHaveValue(WORDS);
      await drawn(question(page).getByRole('listitem').getByRole('img'), 2);
      await page.getByRole('button', { name: said(delivery['picture.remove'], { at: '২' }) }).click();
      await page.getByLabel(delivery['pictures.add']).setInputFiles(file);
      await expect(page.getByText(said(delivery['pictures.some'], { done: '২', count: '২' }))).toBeAttached();
    });

    await test.step('The seller delivers', async () => {
      await confirm(page, deals['act.deliver']);
      await expect(toast(page, deals['toast.delivered'])).toBeVisible();
      await says(page.getByRole('main'), WORDS);
      await drawn(picturesIn(page), 2);
      await expectAccessible(page);
      await expectFits(page);
    });

    await test.step('The buyer sees it in the deal and in the conversation', async () => {
      await buyer.page.goto(path);
      await says(buyer.page.getByRole('main'), WORDS);
      await drawn(picturesIn(buyer.page), 2);
      await goThrough(buyer.page, picturesIn(buyer.page).first());
      await buyer.page.goto('/inbox');
      await buyer.page
        .getByRole('navigation', { name: 'Conversations' })
        .getByRole('link', { name: new RegExp(seller.name) })
        .click();
      await says(log(buyer.page), WORDS);
      await drawn(picturesIn(log(buyer.page)), 2);
      await expectAccessible(buyer.page);
      await goThrough(buyer.page, picturesIn(log(buyer.page)).first());
      await log(buyer.page)
        .getByRole('link', { name: `Delivered: ${TITLE}` })
        .click();
      await buyer.page.waitForURL(`**${path}`);
    });

    await test.step('The buyer asks for changes, which needs words', async () => {
      await whole(buyer.page);
      const changes = await ask(buyer.page, 'Request changes');
      await confirm(buyer.page, 'Request changes');
      await says(changes, 'Say what should be changed.');
      await expect(changes.getByLabel('What should be changed?')).toBeFocused();
      await expectAccessible(buyer.page);
      await buyer.page.keyboard.type(CHANGES);
      await confirm(buyer.page, 'Request changes');
      await expect(toast(buyer.page, 'Changes requested')).toBeVisible();
      await says(buyer.page.getByRole('main'), CHANGES);
    });

    await test.step('The seller reads them and delivers again', async () => {
      await page.goto('/inbox');
      await page.getByRole('link', { name: new RegExp(buyer.name) }).click();
      const changes = page.getByRole('link', { name: said(dealWords['said.changes'], { title: TITLE }) });
      await says(page, CHANGES);
      await expectAccessible(page);
      await expectFits(page);
      await changes.click();
      await says(page.getByRole('main'), CHANGES);
      await button.click();
      await page.getByLabel(delivery.courier).selectOption('Pathao');
      await page.getByLabel(delivery.trackingNumber).fill('DA 77');
      await expectAccessible(page);
      await expectFits(page);
      await confirm(page, deals['act.deliver']);
      await expect(toast(page, deals['toast.delivered'])).toBeVisible();
      await says(page.getByRole('main'), said(deals['shipment.onItsWay'], { courier: 'Pathao' }));
      await expectFits(page);
    });

    await test.step('The buyer follows the parcel and says that it arrived', async () => {
      await buyer.page.reload();
      const main = buyer.page.getByRole('main');
      await says(main, 'On its way with Pathao');
      await expectAccessible(buyer.page);
      await main.getByRole('button', { name: 'It has arrived' }).first().click();
      await expect(toast(buyer.page, 'Marked as arrived')).toBeVisible();
      await says(main, 'Arrived with Pathao');
      const history = await unfold(buyer.page, /^History/);
      await says(history, `${seller.name} sent it by courier Pathao · DA 77`);
      await says(history, 'You said that it arrived');
      await says(page.getByRole('main'), said(deals['shipment.arrived'], { courier: 'Pathao' }));
    });
  });
});
