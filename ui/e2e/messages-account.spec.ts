import type { Page } from '@playwright/test';
import { provoke, REFUSED } from './support/faults';
import { attempts, complaintAt, type Form, toastOf } from './support/forms';
import { DEMO_PASSWORD } from './support/people';
import { heading, NOW, toast } from './support/screen';
import { expect, test } from './support/test';

// Every message word for word, at the real server (docs/rules.md#validation): each wrong input in the order of the rules, and what was typed stays.

/** The form of a page that somebody new opens. */
async function opened(page: Page, path: string, title: string, submit: string): Promise<Form> {
  provoke(page.context(), REFUSED);
  await page.goto(path);
  await expect(heading(page, title)).toBeVisible();
  return { page, within: page.getByRole('main'), submit };
}

const fresh = () => `anika${Date.now().toString(36)}`;

test.describe('sign-up', () => {
  test('says every broken rule in its order, and takes no spaces and dots', async ({ page }) => {
    const form = await opened(page, '/signup', 'Create Account', 'Sign up');
    const name = fresh();
    await attempts(
      form,
      { says: 'Username is required.' },
      { fill: { Username: ' . ' }, shown: { Username: '' }, says: 'Username is required.' },
      { fill: { Username: 'an. ika. r ' }, shown: { Username: 'anikar' }, says: 'Email is required.' },
      { fill: { Email: 'anika' }, says: 'Invalid email' },
      { fill: { Email: 'anika@example' }, says: 'Invalid email' },
      { fill: { Email: `${name}@example.com` }, says: 'Password is required.' },
      { fill: { Password: '12345' }, says: 'Password must be at least 6 characters' },
      { fill: { Username: 'Buyer', Password: 'secret-1' }, says: 'Username is already taken.' },
    );
    expect(await complaintAt(form, 'Username')).toBe('Username is already taken.');
    await attempts(
      form,
      { fill: { Username: '<b>anika</b>' }, says: 'Username may have up to 40 letters, digits, hyphens and underscores.' },
      { fill: { Username: name, Email: 'BUYER@amanat.example' }, says: 'Email is already registered.' },
    );
    await form.page.getByLabel('Email').fill(`${name}@example.com`);
    const submit = form.page.getByRole('button', { name: 'Sign up' });
    expect(await toastOf(form.page, () => submit.click())).toBe('Account created successfully!');
    await expect(heading(form.page, name)).toBeVisible();
  });
});

test.describe('login', () => {
  test('wants a name and a password, and those of a user', async ({ page }) => {
    const form = await opened(page, '/login', 'Login', 'Login');
    await attempts(
      form,
      { says: 'Username is required.' },
      { fill: { Username: 'buyer' }, says: 'Password is required.' },
      { fill: { Password: 'not-the-password' }, says: 'Incorrect username or password' },
      { fill: { Username: 'nobody-at-all' }, says: 'Incorrect username or password' },
    );
    await form.page.getByLabel('Username').fill('buyer');
    await form.page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    const submit = form.within.getByRole('button', { name: 'Login' });
    expect(await toastOf(form.page, () => submit.click())).toBe('Login successful!');
  });

  test('is locked after too many wrong passwords, in one browser', async ({ page, newcomer }) => {
    const owner = await newcomer('rafi');
    const form = await opened(page, '/login', 'Login', 'Login');
    const wrong = { fill: { Username: owner.name, Password: 'not-the-password' } };
    for (let tries = 0; tries < 5; tries++) await attempts(form, { ...wrong, says: 'Incorrect username or password' });
    await attempts(form, {
      fill: { Username: owner.name, Password: DEMO_PASSWORD },
      says: 'Too many attempts. Please try again later.',
    });
    await expect(form.within.getByRole('alert').getByText('Too many attempts. Please try again later.')).toBeVisible();
  });
});

test.describe('another password', () => {
  test('is chosen with the present one', async ({ newcomer }) => {
    const { context, page } = await newcomer('moni');
    provoke(context, REFUSED);
    await page.goto('/security');
    const form = { page, within: page.getByRole('main'), submit: 'Save the new password' };
    await attempts(
      form,
      { says: 'Enter your current password.' },
      { fill: { 'Current password': 'not-the-password' }, says: 'Password is required.' },
      { fill: { 'New password': '12345' }, says: 'Password must be at least 6 characters' },
      { fill: { 'New password': 'another-1' }, says: 'Incorrect password.' },
    );
    expect(await complaintAt(form, 'Current password')).toBe('Incorrect password.');
    await page.getByLabel('Current password').fill(DEMO_PASSWORD);
    const submit = page.getByRole('button', { name: 'Save the new password' });
    expect(await toastOf(page, () => submit.click())).toBe('Your password has been changed.');
  });

  test('is mailed for to an address that has an account', async ({ page }) => {
    await attempts(
      await opened(page, '/forgot-password', 'Forgot password', 'Send the link'),
      { says: 'Email is required.' },
      { fill: { Email: 'rafi' }, says: 'Invalid email address!' },
      { fill: { Email: 'nobody@example.com' }, says: 'Invalid email address!' },
      { fill: { Email: 'seller@amanat.example' }, says: 'Password reset link sent to your email.' },
    );
  });

  test('is long enough, and its link is known', async ({ page }) => {
    const form = await opened(page, '/reset-password?token=made-up', 'Choose a new password', 'Save the new password');
    await attempts(
      form,
      { says: 'Password must be at least 6 characters long.' },
      { fill: { 'New password': '12345' }, says: 'Password must be at least 6 characters long.' },
      { fill: { 'New password': 'another-1' }, says: 'Invalid or missing token' },
    );
    await expect(form.within.getByText('Invalid or missing token')).toBeVisible();
    await form.page.goto('/reset-password');
    await attempts(form, { fill: { 'New password': 'another-1' }, says: 'Invalid or missing token' });
    await expect(toast(form.page, 'successfully')).toHaveCount(0, NOW);
  });
});
