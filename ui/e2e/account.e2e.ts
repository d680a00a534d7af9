import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launch, signIn, signUp, visit } from './support/browser';
import { provoke, REFUSED } from './support/faults';
import { mailedLink } from './support/people';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const heading = (page: Page, name: string) => page.getByRole('heading', { name });
const toast = (page: Page, text: string) => page.locator('[data-sonner-toast]', { hasText: text });

describe('the pages that mails lead to', () => {
  it('verify the address of a new user', async () => {
    const { context, page } = await visit(browser);
    const username = await signUp(context);
    const link = await mailedLink({ context, name: username }, '/verify-email');
    await page.goto('/dashboard');
    await page.getByText('Please verify your email.').waitFor();
    await page.goto(link);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Verify email' }).click();
    await heading(page, 'Your email is verified.').waitFor();
    await page.getByText('Please verify your email.').waitFor({ state: 'detached' });
    provoke(context, REFUSED);
    await page.goto('/dashboard'); // or only the fragment would change
    await page.goto(link);
    await page.getByRole('button', { name: 'Verify email' }).click();
    await heading(page, 'Your email is already verified.').waitFor();
    await expectAccessible(page);
  });

  it('replace a forgotten password and end the old sessions', async () => {
    const old = await visit(browser);
    const username = await signUp(old.context);
    const { context, page } = await visit(browser, { width: 360, theme: 'dark' });
    provoke(context, REFUSED);
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot Password?' }).click();
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await toast(page, 'Invalid email address!').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Email').fill(`${username}@example.com`);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await toast(page, 'Password reset link sent to your email.').waitFor();

    await page.goto(await mailedLink({ context, name: username }, '/reset-password'));
    await expectAccessible(page);
    await page.getByLabel('New password').fill('another-secret');
    await page.getByRole('button', { name: 'Save the new password' }).click();
    await heading(page, 'Password has been successfully reset.').waitFor();
    await page.waitForURL('**/login');
    expect((await old.context.request.get('/api/auth/check')).status()).toBe(401);

    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill('another-secret');
    await page.getByRole('main').getByRole('button', { name: 'Login' }).click();
    await heading(page, username).waitFor();
  });
});

describe('what people write to us', () => {
  it('reaches the admins', async () => {
    const { page } = await visit(browser, { width: 320 });
    const subject = `No picture ${Date.now().toString(36)}`;
    await page.goto('/reportabug');
    await page.getByLabel('Subject').fill(subject);
    await page.getByLabel('Description').fill('It stays white.');
    await page.reload();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Submit report' }).click();
    await heading(page, 'Thank you! Your report has been submitted.').waitFor();

    const admin = await visit(browser);
    await signIn(admin.context, 'admin');
    await admin.page.goto('/admin/bug-reports');
    await admin.page.getByRole('link', { name: 'A visitor' }).first().click();
    await admin.page.getByRole('dialog', { name: subject }).waitFor();
    await expectAccessible(admin.page);
  });
});
