import type { Locator, Page } from '@playwright/test';
import { listen, stands } from './support/chat';
import { expectAccessible } from './support/checks';
import { provoke, REFUSED } from './support/faults';
import { DEMO_PASSWORD, type Person } from './support/people';
import { heading, says, toast } from './support/screen';
import { expect, test } from './support/test';

const ended = (page: Page) => page.getByRole('alertdialog', { name: 'Your session has ended.' });

/** Logs in again over the page. */
async function comeBack(page: Page): Promise<void> {
  await expect(ended(page)).toBeVisible();
  await expectAccessible(page);
  await ended(page).getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await ended(page).getByRole('button', { name: 'Login', exact: true }).click();
  await expect(ended(page)).toHaveCount(0);
}

/** Sends a form whose session has ended in the middle of it, logs in, finds everything still typed, and sends it once more. */
async function interrupted({ context, page }: Person, send: Locator, typed: Record<string, string>, scope: Locator) {
  provoke(context, REFUSED);
  await context.clearCookies();
  await send.click();
  await comeBack(page);
  for (const [label, value] of Object.entries(typed))
    await expect(scope.getByLabel(new RegExp(`^${label}`)).first(), label).toHaveValue(value);
  await send.click();
}

async function fill(scope: Locator, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values))
    await scope
      .getByLabel(new RegExp(`^${label}`))
      .first()
      .fill(value);
}

test.describe('a session that ends in the middle of', () => {
  test('a post', async ({ newcomer }) => {
    const person = await newcomer('tanvir');
    const { page } = person;
    await page.goto('/posts/create');
    await expect(heading(page, 'Create a post')).toBeVisible();
    const main = page.getByRole('main');
    const words = { Title: 'Cooking channel', Description: 'Since 2019.', Price: '480' };
    await fill(main, words);
    await page.getByLabel('Category', { exact: true }).selectOption('Freelance Service');
    await page.getByLabel('Subcategory').selectOption('Writing');
    await page.getByRole('textbox', { name: 'Tags' }).fill('cooking,');
    const typed = { ...words, Category: 'Freelance Service', Subcategory: 'Writing' };
    await interrupted(person, page.getByRole('button', { name: 'Publish' }), typed, main);
    await expect(toast(page, 'Post published')).toBeVisible();
    await expect(heading(page, 'My Services')).toBeVisible();
  });

  test('a new deal, in its dialog', async ({ newcomer }) => {
    const person = await newcomer('nusrat', { width: 360 });
    const { page } = person;
    await page.goto('/deal');
    await page.getByRole('button', { name: 'Create Deal' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create Deal' });
    await dialog.getByRole('combobox', { name: 'Who is the deal with?' }).fill('seller');
    await dialog.getByRole('option', { name: 'seller', exact: true }).click();
    await dialog.getByRole('radio', { name: /^Buyer/ }).click();
    const words = { Price: '12.50', Description: 'Ten photos' };
    await fill(dialog, words);
    await dialog.getByLabel('Delivery Duration').selectOption('7');
    const typed = { ...words, 'Who is the deal with': 'seller', 'Delivery Duration': '7' };
    await interrupted(person, dialog.getByRole('button', { name: 'Create Deal' }), typed, dialog);
    await expect(toast(page, 'Deal created!')).toBeVisible();
    await says(page, 'Ten photos');
  });

  test('a deposit', async ({ newcomer }) => {
    const person = await newcomer('nusrat');
    const { page } = person;
    await page.goto('/deposit');
    await page.getByRole('button', { name: /^Nagad/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Deposit with Nagad' });
    const typed = { Amount: '50', 'Transaction ID': `N${Date.now().toString(36).slice(-7)}` };
    await fill(dialog, typed);
    await interrupted(person, dialog.getByRole('button', { name: /^I have sent/ }), typed, dialog);
    await expect(toast(page, 'Deposit submitted successfully!')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await says(page.getByRole('main'), typed['Transaction ID'].toUpperCase());
  });

  test('another password', async ({ newcomer }) => {
    const person = await newcomer('moni');
    const { page } = person;
    await page.goto('/security');
    const main = page.getByRole('main');
    const typed = { 'Current password': DEMO_PASSWORD, 'New password': 'another-secret' };
    await fill(main, typed);
    await interrupted(person, page.getByRole('button', { name: 'Save the new password' }), typed, main);
    await expect(toast(page, 'Your password has been changed.')).toBeVisible();
  });

  test('a message', async ({ newcomer }) => {
    const person = await newcomer('moni');
    const { page, context } = person;
    await page.goto('/profile/seller');
    await page.getByRole('button', { name: 'Message seller' }).click();
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('Is it still there?');
    provoke(context, REFUSED);
    await context.clearCookies();
    await field.press('Enter');
    await comeBack(page);
    await expect(field).toHaveValue('Is it still there?');
    await field.press('Enter');
    await says(page.getByRole('log'), 'Is it still there?');
    await stands(page, 'Sent');
    await expect(page.getByText('Not sent')).toHaveCount(0);
  });
});

test.describe('a session that is ended elsewhere', () => {
  test('is over on the open page at once, which keeps what is typed', async ({ newcomer }) => {
    const person = await newcomer('rafi');
    const { page, context } = person;
    await listen(page, '/reportabug');
    await page.getByLabel('Subject').fill('No picture');
    await page.getByLabel('Description').fill('It stays white.');
    provoke(context, REFUSED);
    expect((await context.request.post('/api/auth/logout')).ok()).toBe(true);
    await comeBack(page);
    await expect(page.getByLabel('Subject')).toHaveValue('No picture');
    await page.getByRole('button', { name: 'Submit report' }).click();
    await expect(toast(page, 'Thank you! Your report has been submitted.')).toBeVisible();
  });

  test('lets somebody else log in, who sees nothing of the first', async ({ newcomer }) => {
    const person = await newcomer('rafi');
    const { page, context } = person;
    await listen(page, '/posts/create');
    await page.getByRole('textbox', { name: 'Title' }).fill('Between us');
    provoke(context, REFUSED);
    expect((await context.request.post('/api/auth/logout')).ok()).toBe(true);
    await expect(ended(page)).toBeVisible();
    await ended(page).getByLabel('Username').fill('seller');
    await ended(page).getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await ended(page).getByRole('button', { name: 'Login', exact: true }).click();
    await expect(heading(page, 'seller')).toBeVisible();
    await expect(page.getByText(person.name)).toHaveCount(0);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Between us');
  });
});
