import type { Locator } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { fund, type Person } from './support/people';
import { says, toast } from './support/screen';
import { test as base, expect } from './support/test';

// Between two whole taka: each screen rounds it to its own side.
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

test.describe('a deposit', () => {
  test('is counted at the rate rounded up', async ({ buyer }) => {
    const dialog = await open(buyer, 'deposit', 'bKash');
    const id = dialog.getByRole('textbox', { name: /^Transaction ID/ });
    await dialog.getByLabel('Amount to add').fill('১০');
    await says(dialog, '1 USD = ৳122');
    await says(dialog, '৳1,220');
    await dialog.getByLabel('Amount to add').fill('১০.৫');
    await says(dialog, '৳1,281');
    const tail = Date.now().toString().slice(-8);
    // A Bangla keyboard has Bangla digits.
    await id.fill(`ck${tail.replace(/\d/g, (digit) => '০১২৩৪৫৬৭৮৯'[Number(digit)] ?? '')}`);
    await expectAccessible(buyer.page);
    await dialog.getByRole('button', { name: 'I have sent ৳1,281' }).click();
    await expect(toast(buyer.page, 'Deposit submitted successfully!')).toBeVisible();
    await says(buyer.page, `CK${tail}`);
    const { deposits } = (await (await buyer.context.request.get('/api/auth/deposit/history')).json()) as {
      deposits: { amount: number; convertedAmount: number; transactionId: string }[];
    };
    expect(deposits[0]).toMatchObject({ amount: 10.5, convertedAmount: 1281, transactionId: `CK${tail}` });
  });
});

test.describe('a withdrawal', () => {
  test('is counted at the rate rounded down', async ({ buyer, admin }) => {
    await fund(admin, buyer, 100);
    const dialog = await open(buyer, 'withdraw', 'Nagad');
    const amount = dialog.getByLabel('Amount to withdraw');
    const phone = dialog.getByRole('textbox', { name: /^Phone number/ });
    await amount.fill('২০');
    await says(dialog, '1 USD = ৳121');
    await says(dialog, '৳2,420');
    await phone.fill('০১৭১২৩৪৫৬৭৮');
    await amount.fill('১০০.০০');
    await says(dialog, '৳12,100');
    await expectAccessible(buyer.page);
    await dialog.getByRole('button', { name: 'Withdraw $100.00' }).click();
    await expect(toast(buyer.page, 'Withdrawal submitted successfully!')).toBeVisible();
    await buyer.page.goto('/balance?tab=withdrawals');
    await says(buyer.page, '৳12,100');
    await says(buyer.page, '01712-345678');
  });

  test('and the balance say the rate that it is counted at', async ({ buyer, admin }) => {
    await fund(admin, buyer, 10);
    await buyer.page.goto('/balance');
    await says(buyer.page, '৳1,210 at 1 USD = ৳121');
    await expectAccessible(buyer.page);
  });
});
