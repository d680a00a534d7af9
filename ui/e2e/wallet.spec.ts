import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { fund, type Person } from './support/people';
import { heading, says, toast } from './support/screen';
import { test as base, expect } from './support/test';

// Between two whole taka, which deposits and withdrawals round differently.
const RATE = 121.37;

async function setRate({ context }: Person, usdToBdt: number): Promise<void> {
  const answer = await context.request.put('/api/admin/exchange-rate', { data: { usdToBdt } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

const test = base.extend<{ rate: number }>({
  rate: [
    async ({ admin }, use) => {
      const answer = await admin.context.request.get('/api/exchange-rate');
      const { usdToBdt } = (await answer.json()) as { usdToBdt: number };
      await setRate(admin, RATE);
      await use(RATE);
      await setRate(admin, usdToBdt);
    },
    { auto: true },
  ],
});

test.use({ buyerLook: { width: 360 } });

async function open({ page }: Person, kind: 'deposit' | 'withdraw', name: string): Promise<Locator> {
  await page.goto(`/${kind}`);
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  const dialog = page.getByRole('dialog', { name: new RegExp(name) });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** The statement's PDF, without the site's frame. Returns the link that proves it. */
async function print(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Print or PDF' }).click();
  await expect(heading(page, 'Statement')).toBeVisible();
  await says(page.getByRole('table'), 'Withdrawal');
  await expectFits(page);
  await expectAccessible(page);
  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  await page.getByRole('button', { name: 'Print or save as PDF' }).click();
  await expect(page.locator('html[data-printed]')).toHaveCount(1);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden();
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf).toMatch(/^%PDF-/);
  expect(pdf).toMatch(/\/MediaBox \[0 0 59[456][.\d]* 84[12]/); // A4
  expect(pdf).toContain('/Font'); // text, not a picture
  await page.emulateMedia({ media: null });
  const link = await page.getByRole('link', { name: /\/check\// }).getAttribute('href');
  await page.getByRole('link', { name: 'Back to the statement' }).click();
  return link ?? '';
}

test('money comes and goes at the rate that each screen says, and stands in the statement', async ({ buyer, admin, visit }) => {
  const { page, context, name } = buyer;
  await fund(admin, buyer, 110); // the first one: until it is credited, there is no other

  await test.step('A deposit is counted at the rate rounded up', async () => {
    const dialog = await open(buyer, 'deposit', 'bKash');
    await dialog.getByLabel('Amount to add').fill('১০');
    await says(dialog, '1 USD = ৳122');
    await says(dialog, '৳1,220');
    await dialog.getByLabel('Amount to add').fill('১০.৫');
    const tail = Date.now().toString().slice(-8);
    // A Bangla keyboard has Bangla digits.
    const typed = `ck${tail.replace(/\d/g, (digit) => '০১২৩৪৫৬৭৮৯'[Number(digit)] ?? '')}`;
    await dialog.getByRole('textbox', { name: /^Transaction ID/ }).fill(typed);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'I have sent ৳1,281' }).click();
    await expect(toast(page, 'Deposit submitted successfully!')).toBeVisible();
    await says(page, `CK${tail}`);
    const { deposits } = (await (await context.request.get('/api/auth/deposit/history')).json()) as {
      deposits: { amount: number; convertedAmount: number; transactionId: string }[];
    };
    expect(deposits[0]).toMatchObject({ amount: 10.5, convertedAmount: 1281, transactionId: `CK${tail}` });
  });

  await test.step('A withdrawal, and the balance, are counted at the rate rounded down', async () => {
    const dialog = await open(buyer, 'withdraw', 'Nagad');
    await dialog.getByLabel('Amount to withdraw').fill('১০০.০০');
    await says(dialog, '1 USD = ৳121');
    await says(dialog, '৳12,100');
    await dialog.getByRole('textbox', { name: /^Phone number/ }).fill('০১৭১২৩৪৫৬৭৮');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Withdraw $100.00' }).click();
    const question = page.getByRole('alertdialog', { name: 'Withdraw $100.00?' });
    await says(question, '01712-345678');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Send it' }).click();
    await expect(toast(page, 'Withdrawal submitted successfully!')).toBeVisible();
    await expect(page.getByRole('dialog', { name: '৳12,100 → 01712-345678' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page).toHaveURL('/balance');
    await says(page, '৳1,210 at 1 USD = ৳121');
    await says(page.getByRole('table'), /৳12,100/);
    await says(page.getByRole('table'), /01712-345678/);
    await expectAccessible(page);
  });

  await test.step('The statement has it, and is printed and downloaded', async () => {
    await page.getByRole('button', { name: 'Filter and download' }).click();
    await says(page.getByRole('table'), 'Deposit');
    await expectFits(page);
    await expectAccessible(page);
    const link = await print(page);
    const { page: stranger } = await visit({ width: 360, theme: 'dark' });
    await stranger.goto(link);
    await expect(heading(stranger, 'From Amanat')).toBeVisible();
    await says(stranger, 'Closing balance');
    await expect(stranger.getByText(name)).toHaveCount(0);
    await expectAccessible(stranger);
    await expectFits(stranger);
    await page.getByRole('button', { name: 'Filter and download' }).click();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Spreadsheet (CSV)' }).click();
    expect((await coming).suggestedFilename()).toMatch(new RegExp(`^amanat-${name}-\\d{4}-\\d\\d-\\d\\d\\.csv$`));
    await page.getByRole('button', { name: 'Deposits', exact: true }).click();
    await expect(page).toHaveURL(/kind=deposits/);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Deposits', exact: true, pressed: true })).toBeVisible();
  });
});
