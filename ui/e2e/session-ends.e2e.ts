import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_PASSWORD, expectAccessible, launch } from './support/browser';
import { listen } from './support/chat';
import { newcomer, type Person } from './support/people';
import { heading, says, toast } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const ended = (page: Page) => page.getByRole('alertdialog', { name: 'Your session has ended.' });

/** Logs in again over the page. */
async function comeBack(page: Page): Promise<void> {
  await ended(page).waitFor();
  await expectAccessible(page);
  await ended(page).getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await ended(page).getByRole('button', { name: 'Login', exact: true }).click();
  await ended(page).waitFor({ state: 'detached' });
}

/** Sends a form whose session has ended in the middle of it, logs in, finds everything still typed, and sends it once more. */
async function interrupted({ context, page }: Person, send: Locator, typed: Record<string, string>, scope: Locator) {
  await context.clearCookies();
  await send.click();
  await comeBack(page);
  for (const [label, value] of Object.entries(typed))
    expect(
      await scope
        .getByLabel(new RegExp(`^${label}`))
        .first()
        .inputValue(),
      label,
    ).toBe(value);
  await send.click();
}

async function fill(scope: Locator, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values))
    await scope
      .getByLabel(new RegExp(`^${label}`))
      .first()
      .fill(value);
}

describe('a session that ends in the middle of', () => {
  it('a post', async () => {
    const person = await newcomer(browser, 'tanvir');
    const { page } = person;
    await page.goto('/posts/create');
    await heading(page, 'Create a post').waitFor();
    const main = page.getByRole('main');
    const words = { Title: 'Cooking channel', Description: 'Since 2019.', Price: '480' };
    await fill(main, words);
    await page.getByLabel('Category', { exact: true }).selectOption('Freelance Service');
    await page.getByLabel('Subcategory').selectOption('Writing');
    await page.getByRole('textbox', { name: 'Tags' }).fill('cooking,');
    const typed = { ...words, Category: 'Freelance Service', Subcategory: 'Writing' };
    await interrupted(person, page.getByRole('button', { name: 'Publish' }), typed, main);
    await toast(page, 'Post published').waitFor();
    await heading(page, 'My Services').waitFor();
  });

  it('a new deal, in its dialog', async () => {
    const person = await newcomer(browser, 'nusrat', { width: 360 });
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
    await toast(page, 'Deal created!').waitFor();
    await says(page, 'Ten photos');
  });

  it('a deposit', async () => {
    const person = await newcomer(browser, 'nusrat');
    const { page } = person;
    await page.goto('/deposit');
    await page.getByRole('button', { name: /^Nagad/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Deposit with Nagad' });
    const typed = { Amount: '50', 'Transaction ID': `N${Date.now().toString(36).slice(-7)}` };
    await fill(dialog, typed);
    await interrupted(person, dialog.getByRole('button', { name: /^I have sent/ }), typed, dialog);
    await toast(page, 'Deposit submitted successfully!').waitFor();
    await says(page.getByRole('main'), typed['Transaction ID'].toUpperCase());
  });

  it('another password', async () => {
    const person = await newcomer(browser, 'moni');
    const { page } = person;
    await page.goto('/profile');
    const main = page.getByRole('main');
    const typed = { 'Current password': DEMO_PASSWORD, 'New password': 'another-secret' };
    await fill(main, typed);
    await interrupted(person, page.getByRole('button', { name: 'Save the new password' }), typed, main);
    await toast(page, 'Your password has been changed.').waitFor();
  });

  it('a message', async () => {
    const person = await newcomer(browser, 'moni');
    const { page, context } = person;
    await page.goto('/profile/seller');
    await page.getByRole('button', { name: 'Message seller' }).click();
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('Is it still there?');
    await context.clearCookies();
    await field.press('Enter');
    await comeBack(page);
    expect(await field.inputValue()).toBe('Is it still there?');
    await field.press('Enter');
    await says(page.getByRole('log'), 'Is it still there?');
    await page.getByText('Not sent').waitFor({ state: 'detached' });
  });
});

describe('a session that is ended elsewhere', () => {
  it('is over on the open page at once, which keeps what is typed', async () => {
    const person = await newcomer(browser, 'rafi');
    const { page, context } = person;
    await listen(page, '/reportabug');
    await page.getByLabel('Subject').fill('No picture');
    await page.getByLabel('Description').fill('It stays white.');
    expect((await context.request.post('/api/auth/logout')).ok()).toBe(true);
    await comeBack(page);
    expect(await page.getByLabel('Subject').inputValue()).toBe('No picture');
    await page.getByRole('button', { name: 'Submit report' }).click();
    await heading(page, 'Thank you! Your report has been submitted.')
      .waitFor({ timeout: 1_000 })
      .catch(() => undefined);
    await toast(page, 'Thank you! Your report has been submitted.').waitFor();
  });

  it('lets somebody else log in, who sees nothing of the first', async () => {
    const person = await newcomer(browser, 'rafi');
    const { page, context } = person;
    await listen(page, '/posts/create');
    await page.getByRole('textbox', { name: 'Title' }).fill('Between us');
    expect((await context.request.post('/api/auth/logout')).ok()).toBe(true);
    await ended(page).waitFor();
    await ended(page).getByLabel('Username').fill('seller');
    await ended(page).getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await ended(page).getByRole('button', { name: 'Login', exact: true }).click();
    await heading(page, 'seller').waitFor();
    expect(await page.getByText(person.name).count()).toBe(0);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Between us');
  });
});
