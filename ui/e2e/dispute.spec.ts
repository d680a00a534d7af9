import type { Locator, Page } from '@playwright/test';
import { photo } from './support/chat';
import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { fund, type Person, post, wallet } from './support/people';
import { facts, heading, hold, openTrouble, says, toast, unfold } from './support/screen';
import { expect, test } from './support/test';

/** Shorter than any polling interval with a connection. */
const AT_ONCE = { timeout: 20_000 };

const aside = (page: Page): Locator => page.getByRole('complementary', { name: 'Next step and decision' });

/** Opens a dispute from its deal's page, with a picture and a link, and returns its address. */
async function open({ page }: Person, path: string): Promise<string> {
  await page.goto(path);
  await (await openTrouble(page)).getByRole('link', { name: /^Open a dispute/ }).click();
  await expect(heading(page, 'Open a dispute')).toBeVisible();
  await page.getByRole('button', { name: 'Open dispute' }).click();
  await says(page, 'Choose what is wrong.');
  await expectAccessible(page);
  await page.getByRole('radio', { name: 'Not as agreed' }).check();
  await page.getByLabel('What happened?').fill('Half of the cards are of another colour.');
  await page.getByLabel(/^Links/).fill('https://example.com/cards');
  await page.getByLabel('Add pictures').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await photo(page) });
  await expect(page.getByText('1 of 1 pictures uploaded')).toBeAttached();
  await page.reload();
  await expect(page.getByLabel('What happened?')).toHaveValue('Half of the cards are of another colour.');
  await expect(page.getByRole('img', { name: 'Picture 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Open dispute' }).click();
  await expect(toast(page, 'Dispute opened')).toBeVisible();
  await expect(heading(page, 'Dispute')).toBeVisible();
  await says(page, 'Half of the cards are of another colour.');
  await expectAccessible(page);
  return new URL(page.url()).pathname;
}

/** Opens a dispute without its form. */
async function opened(buyer: Person, dealId: string): Promise<string> {
  const body = { reason: 'not_as_agreed', text: 'Half of the cards are of another colour.' };
  const { dispute } = await post<{ dispute: { _id: string } }>(buyer, `/deals/${dealId}/dispute`, body);
  return dispute._id;
}

/** Decides the dispute on its page for admins. */
async function decide({ page }: Person, id: string, preset: string, action: string): Promise<void> {
  await page.goto(`/admin/disputes/${id}`);
  await expect(heading(page, 'Two hundred cards')).toBeVisible();
  await says(page, 'Half of the cards are of another colour.');
  await page.getByRole('button', { name: preset }).click();
  await page.getByRole('button', { name: action }).click();
  await says(page, 'Give the reason in at least 10 characters.');
  await page.getByLabel(/^Reason/).fill('Both of you are right in part.');
  await expectAccessible(page);
  await page.getByRole('button', { name: action }).click();
  const question = page.getByRole('alertdialog');
  await expectAccessible(page);
  await question.getByRole('button', { name: action }).click();
  await expect(toast(page, 'The decision has been made.')).toBeVisible();
}

test.describe('a dispute', () => {
  test('is answered and settled by an offer, which the other accepts with one tap', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 100);
    const deal = await paid(buyer, seller, { price: 100, description: 'Two hundred cards' });
    await post(seller, `/deals/deliver/${deal.id}`);
    const path = await open(buyer, deal.path);

    await seller.page.goto(deal.path);
    await says(seller.page, 'In dispute');
    await expectAccessible(seller.page);
    await seller.page.getByRole('link', { name: 'Open the dispute' }).first().click();
    await expect(heading(seller.page, 'Dispute')).toBeVisible();
    await seller.page.getByRole('button', { name: /^Picture 1 of 1 from/ }).click();
    await expect(seller.page.getByRole('dialog')).toBeVisible();
    await seller.page.keyboard.press('Escape');
    await seller.page.getByLabel('What happened from your side?').fill('They are as the sample was.');
    await seller.page.getByRole('button', { name: 'Send answer' }).click();
    await expect(toast(seller.page, 'Answer sent')).toBeVisible();
    // The buyer's open page is updated.
    await expect(buyer.page.getByText('They are as the sample was.')).toBeVisible(AT_ONCE);

    await aside(seller.page).getByRole('button', { name: 'Offer a split' }).click();
    const offer = seller.page.getByRole('dialog', { name: 'Offer a split' });
    await offer.getByRole('slider').fill('40');
    await expect(offer.getByLabel(`${buyer.name} gets back`)).toHaveValue('40.00');
    await offer.getByLabel(`${buyer.name} gets back`).fill('35.5');
    expect(await facts(offer)).toEqual([
      `${buyer.name} gets: $35.50`,
      'You get: $63.21',
      'Amanat’s fee, 2% of the seller’s part: $1.29',
      'Price: $100.00',
    ]);
    await expectAccessible(seller.page);
    await offer.getByRole('button', { name: 'Send offer' }).click();
    await expect(toast(seller.page, 'Offer sent')).toBeVisible();

    const accept = aside(buyer.page).getByRole('button', { name: 'Accept and get $35.50' });
    await expect(accept).toBeVisible(AT_ONCE);
    await accept.click();
    const question = buyer.page.getByRole('alertdialog', { name: 'Accept this split?' });
    await expectAccessible(buyer.page);
    await question.getByRole('button', { name: 'Accept and get $35.50' }).click();
    await expect(toast(buyer.page, 'Split accepted and paid out')).toBeVisible();
    await says(buyer.page, `The dispute is settled: you got $35.50, and ${seller.name} got $63.21.`);
    await expect(seller.page.getByText(`The dispute is settled: you got $63.21, and ${buyer.name} got $35.50.`)).toBeVisible(
      AT_ONCE,
    );
    await expectAccessible(seller.page);
    expect([await wallet(buyer), await wallet(seller)]).toEqual(['35.50', '63.21']);

    await seller.page.goto(deal.path);
    await says(seller.page, `The dispute was settled: $63.21 was added to your balance, and ${buyer.name} got $35.50 back.`);
    await hold(seller.page, 'The seller has $63.21');
    await says(await unfold(seller.page, /^History/), 'Buyer $35.50, seller $63.21');
    await seller.page.getByRole('link', { name: 'See the dispute' }).click();
    await expect(seller.page).toHaveURL(new RegExp(`${path}$`));
  });

  test('is decided, appealed, and decided for good by another admin', async ({ buyer, seller, admin, signedIn }) => {
    const sadia = await signedIn('sadia', { width: 360 });
    await fund(admin, buyer, 80);
    const deal = await paid(buyer, seller, { price: 80, description: 'Two hundred cards' });
    const id = await opened(buyer, deal.id);
    await seller.page.goto(`/disputes/${id}`);
    await decide(admin, id, 'Full refund', 'Decide');

    await expect(seller.page.getByText('Amanat has made a decision. Accept it, or appeal.')).toBeVisible(AT_ONCE);
    await says(seller.page, 'Both of you are right in part.');
    await says(seller.page, 'Carried out automatically in');
    await expectAccessible(seller.page);
    await aside(seller.page).getByRole('button', { name: 'Appeal' }).click();
    const appeal = seller.page.getByRole('dialog', { name: 'Appeal the decision' });
    await appeal.getByLabel('Why is the decision wrong?').fill('The sample had the same colour.');
    await expectAccessible(seller.page);
    await appeal.getByRole('button', { name: 'Send appeal' }).click();
    await expect(toast(seller.page, 'Appeal sent')).toBeVisible();

    // Another admin must decide on the appeal.
    await admin.page.goto(`/admin/disputes/${id}?tab=appealed`);
    await says(admin.page, 'You made the decision. Another admin has to look at the appeal.');
    await expect(admin.page.getByRole('button', { name: 'Decide for good' })).toHaveCount(0);
    await decide(sadia, id, 'Half each', 'Decide for good');
    await expect(seller.page.getByText(`The dispute is settled: you got $39.20, and ${buyer.name} got $40.00.`)).toBeVisible(
      AT_ONCE,
    );
    expect([await wallet(buyer), await wallet(seller)]).toEqual(['40.00', '39.20']);
  });
});

test.describe('in Bangla, in the dark, on a phone', { tag: '@soak' }, () => {
  const look = { language: 'bn', theme: 'dark', width: 360 } as const;
  test.use({ buyerLook: look, sellerLook: look });

  test('it is all there', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 30);
    const deal = await paid(buyer, seller, { price: 30, description: 'Two hundred cards' });
    await buyer.page.goto(`/deal/${deal.id}/dispute`);
    await expect(heading(buyer.page, 'বিরোধ খুলুন')).toBeVisible();
    await expectAccessible(buyer.page);
    const id = await opened(buyer, deal.id);
    await seller.page.goto(`/disputes/${id}`);
    await expect(heading(seller.page, 'বিরোধ')).toBeVisible();
    await seller.page.getByRole('button', { name: 'টাকা ভাগের প্রস্তাব দিন' }).click();
    await expect(seller.page.getByRole('dialog')).toContainText('$১৫.০০');
    await expectAccessible(seller.page);
  });
});
