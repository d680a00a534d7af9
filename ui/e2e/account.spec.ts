import type { Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { enterMailedCode } from './support/factor';
import { provoke, REFUSED } from './support/faults';
import { fund, lettersTo, mailedLink, verifyAddress, wallet } from './support/people';
import { ask } from './support/screen';
import { expect, test } from './support/test';

const heading = (page: Page, name: string) => page.getByRole('heading', { name });
const toast = (page: Page, text: string) => page.locator('[data-sonner-toast]', { hasText: text });

test.describe('the pages that mails lead to', () => {
  test('verify an address, and replace a forgotten password, which ends the old sessions', async ({ visit, newcomer }) => {
    const user = await newcomer('user');

    await test.step('The address is verified', async () => {
      const { page } = user;
      const link = await mailedLink(user, '/verify-email');
      await page.goto('/dashboard');
      await expect(page.getByText('Please verify your email.')).toBeVisible();
      await page.goto(link);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Verify email' }).click();
      await expect(heading(page, 'Your email is verified.')).toBeVisible();
      await expect(page.getByText('Please verify your email.')).toHaveCount(0);
    });

    await test.step('A forgotten password is replaced in another browser', async () => {
      const { context, page } = await visit({ width: 360, theme: 'dark' });
      provoke(user.context, REFUSED); // the open page makes calls after its session has ended
      await page.goto('/login');
      await page.getByRole('link', { name: 'Forgot Password?' }).click();
      await page.getByLabel('Email').fill(`${user.name}@example.com`);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await expect(toast(page, 'Password reset link sent to your email.')).toBeVisible();

      await page.goto(await mailedLink({ context, name: user.name }, '/reset-password'));
      await expectAccessible(page);
      await page.getByLabel('New password').fill('another-secret');
      await page.getByRole('button', { name: 'Save the new password' }).click();
      await expect(heading(page, 'Password has been successfully reset.')).toBeVisible();
      await page.waitForURL('**/login');
      expect((await user.context.request.get('/api/auth/check')).status()).toBe(401);

      await page.getByLabel('Username').fill(user.name);
      await page.getByLabel('Password', { exact: true }).fill('another-secret');
      await page.getByRole('main').getByRole('button', { name: 'Login' }).click();
      await expect(heading(page, user.name)).toBeVisible();
    });
  });
});

test('after a reset of the password, a release takes a mailed code', async ({ buyer, seller, admin, visit }) => {
  await verifyAddress(buyer);
  await fund(admin, buyer, 100);
  const deal = await paid(buyer, seller, { price: 50 });
  const { page, context } = await visit({ width: 360 });
  provoke(context, REFUSED);
  provoke(buyer.context, REFUSED); // its session ends with the reset

  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(`${buyer.name}@example.com`);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.goto(await mailedLink(buyer, '/reset-password'));
  await page.getByLabel('New password').fill('another-secret');
  await page.getByRole('button', { name: 'Save the new password' }).click();
  await page.waitForURL('**/login');
  await page.getByLabel('Username').fill(buyer.name);
  await page.getByLabel('Password', { exact: true }).fill('another-secret');
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click();
  await expect(heading(page, buyer.name)).toBeVisible();

  await page.goto(deal.path);
  const question = await ask(page, 'Release $50.00');
  await question.getByRole('button', { name: 'Release $50.00' }).click();
  await enterMailedCode({ page, context, name: buyer.name });
  await expect(toast(page, 'Deal marked as completed')).toBeVisible();
  expect(await wallet(seller)).toBe('49.00');
});

test.describe('another email address', () => {
  test('is confirmed from the new one, and undone from the former one', { tag: '@soak' }, async ({ newcomer, visit }) => {
    const user = await newcomer('user', { width: 360 });
    const { page, name, context } = user;
    await verifyAddress(user);
    const other = { context, name: `${name}-new` };

    await test.step('The user asks for it', async () => {
      await page.goto('/security');
      await page.getByRole('button', { name: 'Change email' }).click();
      await page.getByLabel('New email').fill('nobody');
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(page.getByText('Invalid email')).toBeVisible();
      await expectAccessible(page);
      await page.getByLabel('New email').fill(`${other.name}@example.com`);
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(page.getByText(`Open the link that we have sent to ${other.name}@example.com.`)).toBeVisible();
      await expectAccessible(page);
    });

    await test.step('The link to the new address changes it', async () => {
      await page.goto(await mailedLink(other, '/confirm-email'));
      const use = page.getByRole('button', { name: 'Use this address' });
      await expect(use).toBeVisible();
      await expectAccessible(page);
      await use.click();
      await expect(heading(page, 'Your email address is changed.')).toBeVisible();
      await expectAccessible(page);
      await page.goto('/security');
      await expect(page.getByText(`${other.name}@example.com`)).toBeVisible();
    });

    await test.step('The link to the former one undoes it and logs everybody out', async () => {
      const owner = await visit({ language: 'bn', theme: 'dark' });
      await owner.page.goto(await mailedLink(user, '/undo-email'));
      const keep = owner.page.getByRole('button', { name: 'এই ঠিকানা রাখুন' });
      await expect(keep).toBeVisible();
      await expectAccessible(owner.page);
      await keep.click();
      await expect(heading(owner.page, 'আপনার অ্যাকাউন্টে এই ঠিকানাই আছে।')).toBeVisible();
      await expectAccessible(owner.page);
      expect((await context.request.get('/api/auth/check')).status()).toBe(401);
      expect(await lettersTo(user)).toContain('Choose a new password');
    });
  });
});
