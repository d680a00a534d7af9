import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { conversation, log, write } from './support/chat';
import { expectAccessible, expectFits } from './support/checks';
import { offer, offerToBuyer } from './support/deals';
import { provoke, REFUSED } from './support/faults';
import { DEMO_PASSWORD, fund, hoursPass, idOf, type Person, post, signIn, signUp, verifyAddress, wallet } from './support/people';
import { type Product, startProduct } from './support/product';
import { says, toast } from './support/screen';
import { test as base, expect, type Look } from './support/test';
import { unzip } from './support/zip';

type Limited = { member: (prefix: string, look?: Look) => Promise<Person>; boss: () => Promise<Person> };

/** A site of its own, where limits rise with trust: the others have none, so that deals may have any price. */
const test = base.extend<{ limited: Limited }, { site: Product }>({
  site: [
    async ({}, use) => {
      const site = await startProduct({ TRUST_LIMITS: LIMITS });
      await use(site);
      await site.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  limited: async ({ visit, site }, use) => {
    const person = async (look: Look | undefined, enter: (page: Page) => Promise<string>): Promise<Person> => {
      const visitor = await visit(look, { baseURL: site.url });
      const name = await enter(visitor.page);
      return { ...visitor, name, id: await idOf(visitor.context.request) };
    };
    await use({
      member: (prefix, look) => person(look, ({ request }) => signUp(request, prefix)),
      boss: () => person({}, ({ request }) => signIn(request, 'admin').then(() => 'admin')),
    });
  },
});

const LIMITS = 'new=200/500/200,basic=1000/3000/1000,established=10000/30000/10000,trusted=0/0/0';
const NUMBER = '01712448840';

const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name });

test('a number is saved with a withdrawal, and picked for the next one', async ({ seller, admin }) => {
  const { page, context } = seller;
  await fund(admin, seller, 50);
  await page.goto('/withdraw?method=Nagad');
  const dialog = page.getByRole('dialog', { name: 'Withdraw to Nagad' });
  await dialog.getByLabel('Amount to withdraw').fill('20');
  await dialog.getByLabel(/^Phone number/).fill(NUMBER);
  await dialog.getByLabel(/^Save this number as/).fill('My Nagad');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Withdraw $20.00' }).click();
  await expect(toast(page, 'Withdrawal submitted successfully!')).toBeVisible();
  await says(region(page, 'Saved numbers'), 'My Nagad');
  await expectFits(page);

  await page.getByRole('button', { name: /^Nagad/ }).click();
  await dialog.getByLabel('Amount to withdraw').fill('5');
  await dialog.getByRole('radio', { name: /My Nagad/ }).check();
  await expect(dialog.getByLabel(/^Phone number/)).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Withdraw $5.00' }).click();
  await expect(dialog).toHaveCount(0);
  const { withdrawals } = (await (await context.request.get('/api/withdraw/history')).json()) as {
    withdrawals: { amount: number; phonenumber: string }[];
  };
  expect(withdrawals.map(({ amount, phonenumber }) => [amount, phonenumber])).toEqual([
    [5, NUMBER],
    [20, NUMBER],
  ]);

  await page.getByRole('button', { name: 'Remove: My Nagad' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(region(page, 'Saved numbers')).toHaveCount(0);
});

test('a limit refuses a payment, says what raises it, and rises', async ({ limited }) => {
  const [buyer, seller, boss] = [
    await limited.member('nusrat', { width: 360 }),
    await limited.member('tanvir'),
    await limited.boss(),
  ];
  const { page, context } = buyer;
  await fund(boss, buyer, 400);
  const deal = await offerToBuyer(seller, buyer, { price: 300 });
  provoke(context, REFUSED);
  await page.goto(deal.path);
  await page
    .getByRole('main')
    .getByRole('button', { name: /Accept & Pay/ })
    .first()
    .click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: /Accept & Pay/ }).click();
  await says(question, 'Deals up to $200.00 are possible with your account now.');
  await expectAccessible(page);
  await question.getByRole('link', { name: 'See your limits and how to raise them' }).click();
  const limits = region(page, 'Your limits');
  await says(limits, 'Up to $200.00');
  await says(limits, 'Verify your email.');
  await says(limits, 'Wait 1 more day.');
  await expect(limits).toBeInViewport();
  await expectAccessible(page);
  await expectFits(page);

  await verifyAddress(buyer);
  await hoursPass(boss, 25);
  await page.reload();
  await says(limits, 'Up to $1,000.00');
  await post(buyer, `/deals/pay/${deal.id}`);
  expect(await wallet(buyer)).toBe('100.00');
  await page.reload();
  await says(limits, '$2,700.00 left');
  await says(limits, '$300.00 of $3,000.00 used');
});

test('a copy of one’s data is asked for, comes by itself, and holds what one wrote', async ({ buyer, seller }) => {
  const { page, name } = buyer;
  const chat = await conversation(buyer, seller);
  await write(buyer, chat, 'I wrote this.');
  await write(seller, chat, 'Somebody else wrote this.');
  await page.goto('/security');
  const section = region(page, 'Your data');
  await section.getByRole('button', { name: 'Request a copy' }).click();
  await expect(section.getByRole('button', { name: 'Download' })).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  const coming = page.waitForEvent('download');
  await section.getByRole('button', { name: 'Download' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(new RegExp(`^amanat-${name}-\\d{4}-\\d{2}-\\d{2}\\.zip$`));
  const files = unzip(await readFile(await download.path()));
  expect([...files.keys()]).toContain('README.txt');
  const words = [...files.values()].map((content) => content.toString('utf8')).join('\n');
  expect(words).toContain('I wrote this.');
  expect(words).toContain(seller.name);
  expect(words).not.toContain('Somebody else wrote this.');
});

test('a download wants the password again where the log-in is too long ago', async ({ buyer }) => {
  const { page, context } = buyer;
  await page.goto('/security');
  const section = region(page, 'Your data');
  await section.getByRole('button', { name: 'Request a copy' }).click();
  await expect(section.getByRole('button', { name: 'Download' })).toBeVisible({ timeout: 30_000 });
  provoke(context, REFUSED);
  let refused = false;
  await page.route('**/api/auth/data-export/*/file', async (route) => {
    if (refused) return route.fallback();
    refused = true;
    return route.fulfill({ status: 403, json: { code: 'password_required', message: 'Please enter your password again.' } });
  });
  const coming = page.waitForEvent('download');
  await section.getByRole('button', { name: 'Download' }).click();
  const asked = page.getByRole('dialog', { name: 'Enter your password again' });
  await asked.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await asked.getByRole('button', { name: 'Confirm' }).click();
  expect((await coming).suggestedFilename()).toMatch(/\.zip$/);
  await expect(page).toHaveURL('/security');
});

test('an account is closed once nothing is in the way, and the other side keeps a conversation without its words', async ({
  buyer,
  seller,
  visit,
}) => {
  const { page, name, context } = seller;
  const chat = await conversation(seller, buyer);
  await write(seller, chat, 'My number is in here.');
  await write(buyer, chat, 'I keep this.');
  const deal = await offer(buyer, seller, { price: 20 });
  await page.goto('/security');
  const section = region(page, 'Close account');
  await says(section, /1 open deal\. Finish or cancel it\./);
  await expect(section.getByRole('button')).toHaveCount(0);
  await expectAccessible(page);
  await expectFits(page);

  const removed = await buyer.context.request.delete(`/api/deals/${deal.id}`);
  expect(removed.ok(), await removed.text()).toBe(true);
  await page.reload();
  await section.getByRole('button', { name: 'Close my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close your account for good?' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close my account' }).click();
  await says(dialog, 'Please type your username to confirm.');
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await dialog.getByRole('button', { name: 'Close my account' }).click();
  await expect(page).toHaveURL('/login');
  await says(page, /^Your account has been closed\. Thank you/);
  await expectAccessible(page);
  const again = await context.request.post('/api/auth/login', { data: { username: name, password: DEMO_PASSWORD } });
  expect(again.status()).toBe(401);

  await expect
    .poll(async () => {
      await buyer.page.goto(`/inbox/${chat}`);
      await expect(log(buyer.page)).toBeVisible();
      return log(buyer.page).innerText();
    })
    .toContain('This message was deleted.');
  await says(log(buyer.page), 'I keep this.');
  await expect(buyer.page.getByText('My number is in here.')).toHaveCount(0);
  await says(buyer.page.getByRole('main'), 'Closed account');
  await expectAccessible(buyer.page);
  const { page: public_, context: visitor } = await visit();
  provoke(visitor, REFUSED);
  await public_.goto(`/profile/${name}`);
  await expect(public_.getByText('My number is in here.')).toHaveCount(0);
});

test.describe('in Bangla', () => {
  test.use({ look: { language: 'bn', width: 360 } });

  test('an account with a balance says what to do first', async ({ newcomer, admin }) => {
    const { page, ...person } = await newcomer('nusrat');
    await fund(admin, { page, ...person }, 12);
    await page.goto('/security');
    const section = region(page, 'অ্যাকাউন্ট বন্ধ করুন');
    await says(section, /ব্যালেন্সে \$১২\.০০ আছে। তুলে নিন।/);
    await expect(section.getByRole('button')).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
    await section.getByRole('link', { name: 'তুলুন' }).click();
    await expect(page).toHaveURL('/withdraw');
  });
});
