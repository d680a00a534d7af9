import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launch } from './support/browser';
import { admin, fund, newcomer, type Person } from './support/people';
import { says, toast } from './support/screen';

// Between two whole taka: each screen rounds it to its own side.
const RATE = 121.37;

let browser: Browser;
let boss: Person;
let user: Person;
let usual: number;

const setRate = (usdToBdt: number) => boss.context.request.put('/api/admin/exchange-rate', { data: { usdToBdt } });

beforeAll(async () => {
  browser = await launch();
  boss = await admin(browser);
  user = await newcomer(browser, 'nusrat', { width: 360 });
  await fund(boss, user, 100);
  usual = ((await (await user.context.request.get('/api/exchange-rate')).json()) as { usdToBdt: number }).usdToBdt;
  expect((await setRate(RATE)).ok()).toBe(true);
});
afterAll(async () => {
  await setRate(usual);
  await browser.close();
});

async function open(kind: 'deposit' | 'withdraw', name: string): Promise<Locator> {
  await user.page.goto(`/${kind}`);
  await user.page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  const dialog = user.page.getByRole('dialog', { name: new RegExp(name) });
  await dialog.waitFor();
  return dialog;
}

describe('a deposit', () => {
  it('is counted at the rate rounded up', async () => {
    const dialog = await open('deposit', 'Bkash');
    const id = dialog.getByRole('textbox', { name: /^Transaction ID/ });
    await dialog.getByLabel('Amount to add').fill('১০');
    await says(dialog, '1 USD = ৳122');
    await says(dialog, '৳1,220');
    await dialog.getByLabel('Amount to add').fill('১০.৫');
    await says(dialog, '৳1,281');
    const tail = Date.now().toString().slice(-8);
    // A Bangla keyboard has Bangla digits.
    await id.fill(`ck${tail.replace(/\d/g, (digit) => '০১২৩৪৫৬৭৮৯'[Number(digit)] ?? '')}`);
    await expectAccessible(user.page);
    await dialog.getByRole('button', { name: 'I have sent ৳1,281' }).click();
    await toast(user.page, 'Deposit submitted successfully!').waitFor();
    await says(user.page, `CK${tail}`);
    const { deposits } = (await (await user.context.request.get('/api/auth/deposit/history')).json()) as {
      deposits: { amount: number; convertedAmount: number; transactionId: string }[];
    };
    expect(deposits[0]).toMatchObject({ amount: 10.5, convertedAmount: 1281, transactionId: `CK${tail}` });
  });
});

describe('a withdrawal', () => {
  it('is counted at the rate rounded down', async () => {
    const dialog = await open('withdraw', 'Nagad');
    const amount = dialog.getByLabel('Amount to withdraw');
    const phone = dialog.getByRole('textbox', { name: /^Phone number/ });
    await amount.fill('২০');
    await says(dialog, '1 USD = ৳121');
    await says(dialog, '৳2,420');
    await phone.fill('০১৭১২৩৪৫৬৭৮');
    await amount.fill('১০০.০০');
    await says(dialog, '৳12,100');
    await expectAccessible(user.page);
    await dialog.getByRole('button', { name: 'Withdraw $100.00' }).click();
    await toast(user.page, 'Withdrawal submitted successfully!').waitFor();
    await user.page.goto('/balance?tab=withdrawals');
    await says(user.page, '৳12,100');
    await says(user.page, '01712-345678');
  });

  it('and the balance say the rate that it is counted at', async () => {
    await fund(boss, user, 10);
    await user.page.goto('/balance');
    await says(user.page, '৳1,210 at 1 USD = ৳121');
    await expectAccessible(user.page);
  });
});
