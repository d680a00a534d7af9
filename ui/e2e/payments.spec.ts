import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { fund, mailedLink, type Person, post, verifyAddress, wallet } from './support/people';
import { pay, phoneWorks } from './support/phone';
import { says, toast } from './support/screen';
import { expect, test } from './support/test';

/** Shorter than the page's polling interval with a connection. */
const AT_ONCE = { timeout: 12_000 };

/** The price of a dollar in taka. */
async function rate({ context }: Person): Promise<number> {
  return ((await (await context.request.get('/api/exchange-rate')).json()) as { usdToBdt: number }).usdToBdt;
}

async function looksRight(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectFits(page);
}

/** Reports $50 with the form. */
async function report(page: Page, id: string) {
  await page.goto('/deposit?method=Bkash');
  const form = page.getByRole('dialog', { name: 'Add money with bKash' });
  await form.getByLabel('Amount to add').fill('50');
  await form.getByRole('textbox', { name: /^Transaction ID/ }).fill(id);
  await says(form, 'Credited as soon as the SMS of bKash arrives, usually within a minute.');
  await form.getByRole('button', { name: /^I have sent/ }).click();
}

const credited = (page: Page) => expect(page.getByRole('dialog', { name: '$50.00 is in your balance' })).toBeVisible(AT_ONCE);

test('an SMS credits a deposit, a forged one does not', async ({ newcomer, admin }) => {
  const person = await newcomer('nusrat', { width: 360 });
  const { page } = person;
  const taka = 50 * Math.ceil(await rate(person));
  await phoneWorks(person);

  await test.step('The money appears as soon as the SMS does', async () => {
    await report(page, (await pay(person, taka, { fault: 'late' })).id);
    const receipt = page.getByRole('dialog', { name: /^We’re checking/ });
    await says(receipt, 'Waiting for the SMS of bKash…');
    await looksRight(page);
    await pay(person, 1);
    await credited(page);
    await looksRight(page);
    expect(await wallet(person)).toBe('50.00');
    await page.getByRole('button', { name: 'Done' }).click();
    await says(page, '$50.00');
  });

  const forged = await pay(person, taka, { fault: 'forged' });
  const accounts = admin.page.getByRole('region', { name: 'Accounts' });
  const account = accounts.getByRole('listitem').filter({ hasText: 'bKash' });

  const deposit = await test.step('A forged one is shown to the admins, and credits nothing', async () => {
    const body = { amount: 50, transactionId: forged.id, paymentMethod: 'Bkash' };
    const { deposit } = await post<{ deposit: { _id: string } }>(person, '/auth/deposit', body);
    await admin.page.goto(`/admin/deposit?search=${forged.id}&review=${deposit._id}`);
    const review = admin.page.getByRole('dialog', { name: `${person.name} reports $50.00` });
    await says(review, /^SMS: ৳[\d,]+ from 01912345678/);
    await says(review, 'The SMS of this account do not add up. Check it in the app.');
    await looksRight(admin.page);
    await admin.page.goto('/admin/payments');
    await says(account, 'SMS do not add up');
    await says(admin.page.getByRole('row').filter({ hasText: 'Does not add up' }).first(), 'From 01912345678');
    await looksRight(admin.page);
    expect(await wallet(person)).toBe('50.00');
    return deposit;
  });

  await test.step('An admin enters the balance that the app shows', async () => {
    await account.getByRole('button', { name: 'Enter balance' }).click();
    const dialog = admin.page.getByRole('dialog');
    await dialog.getByLabel('What the app shows now').fill(forged.balance);
    await looksRight(admin.page);
    await dialog.getByRole('button', { name: 'Enter balance' }).click();
    await expect(toast(admin.page, 'The balance is set.')).toBeVisible();
    await expect(account.getByText('Works')).toBeVisible(AT_ONCE);
    await says(admin.page.getByRole('row').filter({ hasText: 'Ignored' }).first(), 'From 01912345678');
    await post(admin, `/admin/deposit/reject/${deposit._id}`, { code: 'not_found' });
  });

  await test.step('The next payment is credited', async () => {
    await report(page, (await pay(person, taka)).id);
    await credited(page);
    expect(await wallet(person)).toBe('100.00');
    await says(admin.page.getByRole('row').filter({ hasText: person.name }).first(), 'Credited');
  });
});

test('a payment with the reference needs no report', async ({ newcomer }) => {
  const person = await newcomer('tahmina', { width: 360, language: 'bn', theme: 'dark' });
  const { page } = person;
  const taka = 50 * Math.ceil(await rate(person));
  await phoneWorks(person);
  await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/deposit?method=Bkash');
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'রেফারেন্স' }).click();
  const reference = await page.evaluate(() => navigator.clipboard.readText());
  expect(reference).toMatch(/^[2-9B-DF-HJ-NP-TV-Z]{6}$/);
  await looksRight(page);
  await pay(person, taka, { reference: reference.toLowerCase() });
  await expect(page.getByRole('heading', { level: 1, name: '$৫০.০০ আপনার ব্যালেন্সে এসেছে' })).toBeVisible(AT_ONCE);
  expect(await wallet(person)).toBe('50.00');
  await looksRight(page);
});

test('the SMS about a payout books its withdrawal', async ({ newcomer, admin }) => {
  const { page } = admin;
  const taka = 10 * Math.floor(await rate(admin));
  const asked = async (name: string, number: string) => {
    const person = await newcomer(name);
    await verifyAddress(person);
    await fund(admin, person, 10);
    await post(person, '/withdraw', { amount: 10, phonenumber: number, paymentMethod: 'Bkash' });
    const token = (await mailedLink(person, '/confirm-withdrawal')).split('token=')[1];
    await post(person, '/auth/confirm-withdrawal', { token });
    return person;
  };
  const [first, second] = [await asked('sabbir', '01712345671'), await asked('rafi', '01712345672')];
  const open = async ({ name }: Person) => {
    await page.getByRole('link', { name }).click();
    const drawer = page.getByRole('dialog', { name: `${name} withdraws $10.00` });
    await says(drawer, 'Send the taka, then open the next one. The SMS of bKash books this one.');
    // An SMS books only what an admin is on.
    await says(drawer, /^Reserved for you until/);
    return drawer;
  };

  await test.step('An admin sends one after the other and types nothing', async () => {
    await page.goto('/admin/withdrawal');
    await says(await open(first), '01712-345671');
    await looksRight(page);
    const drawer = await open(second);
    await looksRight(page);
    for (const payer of ['8801712345671', '+8801712345672']) await pay(admin, taka, { way: 'out', payer });
    await expect(drawer.getByText(/ is booked as sent to rafi/)).toBeVisible(AT_ONCE);
    await expect(page.getByRole('link', { name: first.name })).toHaveCount(0);
    await looksRight(page);
    expect(await wallet(first)).toBe('0.00');
  });

  await test.step('Money that leaves without a withdrawal is listed', async () => {
    await pay(admin, 77, { way: 'out', payer: '01999999999' });
    await page.goto('/admin/payments?tab=left');
    await says(page.getByRole('row').filter({ hasText: '01999999999' }), 'Without a withdrawal');
    await says(page.getByRole('region', { name: 'Accounts and books' }), /sent without a withdrawal − ৳/);
    await looksRight(page);
  });
});
