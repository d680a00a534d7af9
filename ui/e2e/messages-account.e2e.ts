import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_PASSWORD, launch, visit } from './support/browser';
import { provoke, REFUSED } from './support/faults';
import { attempts, complaintAt, type Form, toastOf } from './support/forms';
import { newcomer } from './support/people';
import { heading, toast } from './support/screen';

// Every message word for word, at the real server (docs/rules.md#validation): each wrong input in the order of the rules, and what was typed stays.

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** The form of a page that somebody new opens. */
async function opened(path: string, title: string, submit: string): Promise<Form> {
  const { context, page } = await visit(browser);
  provoke(context, REFUSED);
  await page.goto(path);
  await heading(page, title).waitFor();
  return { page, within: page.getByRole('main'), submit };
}

const fresh = () => `anika${Date.now().toString(36)}`;

describe('sign-up', () => {
  it('says every broken rule in its order, and takes no spaces and dots', async () => {
    const form = await opened('/signup', 'Create Account', 'Sign up');
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
    await heading(form.page, name).waitFor();
  });
});

describe('login', () => {
  it('wants a name and a password, and those of a user', async () => {
    const form = await opened('/login', 'Login', 'Login');
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

  it('is locked after too many wrong passwords, in one browser', async () => {
    const owner = await newcomer(browser, 'rafi');
    const form = await opened('/login', 'Login', 'Login');
    const wrong = { fill: { Username: owner.name, Password: 'not-the-password' } };
    for (let tries = 0; tries < 5; tries++) await attempts(form, { ...wrong, says: 'Incorrect username or password' });
    await attempts(form, {
      fill: { Username: owner.name, Password: DEMO_PASSWORD },
      says: 'Too many attempts. Please try again later.',
    });
    await form.within.getByRole('alert').getByText('Too many attempts. Please try again later.').waitFor();
  });
});

describe('another password', () => {
  it('is chosen with the present one', async () => {
    const { context, page } = await newcomer(browser, 'moni');
    provoke(context, REFUSED);
    await page.goto('/profile');
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

  it('is mailed for to an address that has an account', async () => {
    await attempts(
      await opened('/forgot-password', 'Forgot password', 'Send the link'),
      { says: 'Email is required.' },
      { fill: { Email: 'rafi' }, says: 'Invalid email address!' },
      { fill: { Email: 'nobody@example.com' }, says: 'Invalid email address!' },
      { fill: { Email: 'seller@amanat.example' }, says: 'Password reset link sent to your email.' },
    );
  });

  it('is long enough, and its link is known', async () => {
    const form = await opened('/reset-password?token=made-up', 'Choose a new password', 'Save the new password');
    await attempts(
      form,
      { says: 'Password must be at least 6 characters long.' },
      { fill: { 'New password': '12345' }, says: 'Password must be at least 6 characters long.' },
      { fill: { 'New password': 'another-1' }, says: 'Invalid or missing token' },
    );
    await form.within.getByText('Invalid or missing token').waitFor();
    await form.page.goto('/reset-password');
    await attempts(form, { fill: { 'New password': 'another-1' }, says: 'Invalid or missing token' });
    expect(await toast(form.page, 'successfully').count()).toBe(0);
  });
});
