import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { provoke, REFUSED } from './support/faults';
import { leaveUnasked } from './support/live';
import { type Person, post, wallet } from './support/people';
import { confirm, heading, says, toast } from './support/screen';
import { expect, test } from './support/test';

/** Sooner than the page asks by itself while it has a connection. */
const AT_ONCE = { timeout: 12_000 };

const unique = () => `F${Date.now().toString(36).slice(-6)}${Math.random().toString(36).slice(2, 5)}`.toUpperCase();

const WORDS = {
  en: {
    ...{ method: /^bKash/, amount: 'Amount to add', id: /^Transaction ID/, sent: /^I have sent/, follow: 'Follow this deposit' },
    ...{ hours: /^We check deposits/, credited: '$100.00 is in your balance' },
    ...{ checking: /^We’re checking ৳/, steps: 'Status', now: 'Being checked', line: '$100.00 being checked' },
  },
  bn: {
    ...{ method: /^বিকাশ/, amount: 'যত জমা দিতে চান', id: /^ট্রানজেকশন আইডি/, sent: /পাঠিয়েছি/, follow: 'জমার অবস্থা দেখুন' },
    ...{ hours: /পর্যন্ত আমরা জমা যাচাই করি/, credited: '$১০০.০০ আপনার ব্যালেন্সে এসেছে' },
    ...{ checking: /^আমরা ৳.* যাচাই করছি/, steps: 'অবস্থা', now: 'যাচাই চলছে', line: '$১০০.০০ যাচাই হচ্ছে' },
  },
} as const;

/** Reports a payment as people do, and leaves the receipt open. */
async function report(page: Page, words: (typeof WORDS)['en' | 'bn'], id: string) {
  await page.goto('/deposit');
  await page.getByRole('button', { name: words.method }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel(words.amount).fill('100');
  await form.getByRole('textbox', { name: words.id }).fill(id);
  await form.getByRole('button', { name: words.sent }).click();
  const receipt = page.getByRole('dialog', { name: words.checking });
  await expect(receipt).toBeVisible();
  return receipt;
}

/** The id of the deposit whose page is open. */
const idAt = (page: Page) => new URL(page.url()).pathname.split('/').pop() ?? '';

/** Reports a payment without the form. */
const reported = async (person: Person, amount = 100, transactionId = unique()) =>
  (await post<{ deposit: { _id: string } }>(person, '/auth/deposit', { amount, transactionId, paymentMethod: 'Bkash' })).deposit;

for (const look of [
  { width: 360, language: 'bn', theme: 'light' },
  { width: 1280, language: 'en', theme: 'dark' },
] as const) {
  const words = WORDS[look.language];

  test(`a deposit is followed until it is credited, at ${look.width} px in ${look.language}`, async ({ newcomer, admin }) => {
    const person = await newcomer('nusrat', look);
    const { page } = person;
    const id = unique();
    await leaveUnasked(page);

    await test.step('The dialog turns into a receipt', async () => {
      const receipt = await report(page, words, id);
      await says(receipt, id);
      await says(receipt, words.hours);
      await expectAccessible(page);
      await expectFits(page);
      await receipt.getByRole('link', { name: words.follow }).click();
    });

    await test.step('Its page says what is going on, and Back leads to the deposits', async () => {
      await expect(heading(page, words.checking)).toBeVisible();
      const steps = page.getByRole('region', { name: words.steps });
      await expect(steps.locator('[aria-current="step"]')).toContainText(words.now);
      await expectAccessible(page);
      await expectFits(page);
      await page.goBack();
      await page.waitForURL(/\/deposit$/);
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.goForward();
      await expect(heading(page, words.checking)).toBeVisible();
    });

    await test.step('It turns by itself when an admin approves', async () => {
      await post(admin, `/admin/deposit/approve/${idAt(page)}`, { amount: 100, userId: person.id });
      await expect(heading(page, words.credited)).toBeVisible(AT_ONCE);
      await expectAccessible(page);
      expect(await wallet(person)).toBe('100.00');
    });
  });

  test(`what is being checked stands under the balance, at ${look.width} px in ${look.language}`, async ({ newcomer }) => {
    const person = await newcomer('rahima', look);
    const { page } = person;
    const { _id } = await reported(person);
    for (const path of ['/dashboard', '/balance']) {
      await page.goto(path);
      const line = page.getByRole('main').getByRole('link', { name: words.line });
      await expect(line).toHaveAttribute('href', `/balance/deposits/${_id}`);
      await expectAccessible(page);
      await expectFits(page);
    }
  });
}

test.describe('a deposit that is not credited', () => {
  test('says why, and is reported again with what was right', async ({ newcomer, admin }) => {
    const person = await newcomer('nusrat', { width: 360 });
    const { page } = person;
    const { _id } = await reported(person, 85);
    await leaveUnasked(page);
    await page.goto(`/balance/deposits/${_id}`);
    await expect(heading(page, /^We’re checking ৳/)).toBeVisible();
    await post(admin, `/admin/deposit/reject/${_id}`, { code: 'not_found', reason: 'Nothing under this ID.' });
    await expect(heading(page, 'This deposit was not credited')).toBeVisible(AT_ONCE);
    const why = page.getByRole('region', { name: 'Why, and what you can do' });
    await says(why, 'We found no payment with this transaction ID.');
    await says(why, 'The admin wrote: Nothing under this ID.');
    await expectAccessible(page);
    await expectFits(page);
    await why.getByRole('link', { name: 'Report it again' }).click();
    const form = page.getByRole('dialog', { name: 'Deposit with bKash' });
    await expect(form.getByLabel('Amount to add')).toHaveValue('85.00');
    await expect(form.getByRole('textbox', { name: /^Transaction ID/ })).toHaveValue('');
  });

  test('is withdrawn by its user, and its transaction ID is free again', async ({ newcomer, admin }) => {
    const person = await newcomer('nusrat');
    const { page } = person;
    const id = unique();
    const { _id } = await reported(person, 40, id);
    await page.goto(`/balance/deposits/${_id}`);
    await page.getByRole('button', { name: 'Withdraw this report' }).click();
    await expectAccessible(page);
    await confirm(page, 'Withdraw it');
    await expect(heading(page, 'You withdrew this report')).toBeVisible();
    const answer = await admin.context.request.post(`/api/admin/deposit/approve/${_id}`, {
      data: { amount: 40, userId: person.id },
      headers: { 'Idempotency-Key': unique() },
    });
    expect(answer.status()).toBe(409);
    await reported(person, 40, id);
    await page.goto('/balance');
    await says(page, 'Withdrawn by you');
  });

  test('is hidden from others', async ({ newcomer, buyer }) => {
    const { _id } = await reported(await newcomer('nusrat'));
    provoke(buyer.context, REFUSED);
    await buyer.page.goto(`/balance/deposits/${_id}`);
    await expect(heading(buyer.page, 'There is no such deposit')).toBeVisible();
    await expectAccessible(buyer.page);
  });
});

test('a transaction ID that was reported before says when', async ({ newcomer }) => {
  const person = await newcomer('nusrat');
  const { page } = person;
  const id = unique();
  await reported(person, 95, id);
  provoke(person.context, REFUSED);
  await page.goto(`/deposit?method=Bkash&amount=95&trx=${id}`);
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: /^I have sent/ }).click();
  await says(form, /^You already reported this on .* \(\$95\.00, being checked\)/);
  await expect(toast(page, 'You already reported this')).toBeVisible();
  await expect(form.getByRole('textbox', { name: /^Transaction ID/ })).toHaveValue(id);
});
