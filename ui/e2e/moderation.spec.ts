import type { Page } from '@playwright/test';
import { conversation, field, listen, log, write } from './support/chat';
import { expectAccessible } from './support/checks';
import { provoke, REFUSED } from './support/faults';
import { liveAt } from './support/live';
import { DEMO_PASSWORD, mailedLink, type Person, signIn, type Visitor } from './support/people';
import { says, toast } from './support/screen';
import { expect, test } from './support/test';

/** Shorter than any polling interval with a connection. */
const AT_ONCE = { timeout: 20_000 };
const WORDS = 'Send the money to my bKash number first.';

/** Reports the partner's last message from its menu. */
async function reportMessage(page: Page): Promise<void> {
  const menu = log(page)
    .getByRole('button', { name: /^More actions for the message/ })
    .last();
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Report this message' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report this message' });
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await says(dialog, 'Please choose a reason.');
  await expectAccessible(page);
  await dialog.getByLabel('Wants to be paid outside Amanat').check();
  await dialog.getByLabel(/^What happened/).fill('Twice, although I said no.');
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await expect(dialog.getByRole('heading', { name: 'Thank you for telling us' })).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
}

/** Pages through the queue with J until the person's review is loaded. */
async function review({ page }: Person, path: string, name: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible();
  const drawer = page.getByRole('dialog', { name: new RegExp(name) });
  await expect(async () => {
    if ((await drawer.count()) === 0) await page.keyboard.press('j');
    await expect(drawer).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await says(drawer, /^Reserved for you until/);
  await expect(drawer.getByText('Reported message')).toBeVisible();
}

/** Suspends for 7 days with the keyboard. */
async function suspend(admin: Person, name: string): Promise<void> {
  const { page } = admin;
  await review(admin, '/admin/reports', name);
  await expectAccessible(page);
  await page.keyboard.press('a');
  const question = page.getByRole('alertdialog');
  await expect(question.getByLabel('Warn')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(question.getByLabel('Suspend temporarily')).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(question.getByLabel('Days')).toHaveValue('7');
  await page.keyboard.press('Tab');
  await page.keyboard.type('You asked to be paid outside Amanat.');
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await expect(question.getByRole('button', { name: 'Suspend for 7 days' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'The decision has been made.')).toBeVisible();
  await says(page.getByRole('dialog'), 'Decided. Everyone concerned is told.');
}

/** Overturns the decision with the keyboard. */
async function overturn(admin: Person, name: string): Promise<void> {
  const { page } = admin;
  await review(admin, '/admin/reports?tab=appealed', name);
  await says(page.getByRole('dialog'), 'এটা রসিকতা ছিল।');
  await page.keyboard.press('o');
  await expect(page.getByRole('alertdialog').getByRole('textbox')).toBeFocused();
  await page.keyboard.type('We are sorry.');
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'The appeal has been decided.')).toBeVisible();
}

/** Blocks and unblocks the partner; both see it at once. */
async function blockAndUnblock(buyer: Person, seller: Person): Promise<void> {
  await field(seller.page).fill('Half a sen');
  await buyer.page.getByRole('button', { name: `More actions for ${seller.name}` }).click();
  await buyer.page.getByRole('menuitem', { name: `Block ${seller.name}` }).click();
  await expectAccessible(buyer.page);
  await buyer.page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
  await says(buyer.page, `You blocked ${seller.name}.`);
  await expect(seller.page.getByText('You cannot send messages to this user.')).toBeVisible(AT_ONCE);
  await expect(field(seller.page)).toHaveCount(0);
  await expectAccessible(seller.page);
  await expectAccessible(buyer.page);
  await buyer.page.getByRole('button', { name: `Unblock ${seller.name}` }).click();
  await expect(field(seller.page)).toHaveValue('Half a sen', AT_ONCE);
}

/** Tries to log in, and appeals by the mailed link, in Bangla on a phone. */
async function appeal({ page, context }: Visitor, name: string): Promise<void> {
  provoke(context, REFUSED);
  await page.goto('/login');
  await page.getByLabel('ইউজারনেম').fill(name);
  await page.getByLabel('পাসওয়ার্ড', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'লগ ইন', exact: true }).click();
  await says(page, /You asked to be paid outside Amanat\./);
  await says(page, 'আপিল করার লিংক আপনার ইমেইলে পাঠিয়েছি।');
  await expectAccessible(page);
  await page.goto(await mailedLink({ context, name }, '/appeal'));
  await expect(page.getByRole('heading', { name: 'আপনার অ্যাকাউন্ট স্থগিত' })).toBeVisible();
  await says(page, WORDS);
  await page.getByLabel('সিদ্ধান্তটি কেন ভুল?').fill('এটা রসিকতা ছিল।');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'আপিল পাঠান' }).click();
  await says(page, 'দেখা হচ্ছে');
  await expectAccessible(page);
}

test('a user is blocked and let back in; reported, suspended and back by an appeal', async ({
  buyer,
  seller,
  signedIn,
  visit,
}) => {
  const thread = await conversation(buyer, seller);
  await write(seller, thread, WORDS);
  await listen(seller.page, `/inbox/${thread}`);
  await liveAt(buyer, `/inbox/${thread}`);
  await expect(log(buyer.page).getByText(WORDS)).toBeVisible();

  await test.step('A block stops the messages of both as it is made', () => blockAndUnblock(buyer, seller));

  await test.step('The message is reported', () => reportMessage(buyer.page));

  await seller.page.close();

  await test.step('An admin suspends its author', async () => suspend(await signedIn('admin'), seller.name));

  const visitor = await visit({ width: 360, language: 'bn' });

  await test.step('The author appeals by the mailed link', () => appeal(visitor, seller.name));

  await test.step('Another admin overturns the decision', async () =>
    overturn(await signedIn('sadia', { width: 360 }), seller.name));

  await signIn(visitor.context.request, seller.name);
  await buyer.page.goto('/reports');
  await says(buyer.page, 'We took action');
  await expectAccessible(buyer.page);
});
