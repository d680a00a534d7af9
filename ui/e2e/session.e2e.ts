import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_PASSWORD, expectAccessible, launch, signIn, signUp, visit } from './support/browser';
import { provoke, REFUSED } from './support/faults';
import { holdAnswer } from './support/network';
import { heading, toast } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe('the way in and out', () => {
  it('leads a new user from the landing page to the dashboard', async () => {
    const { page } = await visit(browser);
    await page.goto('/');
    await page.getByRole('link', { name: 'Start a Transaction' }).first().click();
    await heading(page, 'Create Account').waitFor();
    const submit = page.getByRole('button', { name: 'Sign up' });
    await submit.click();
    await toast(page, 'Username is required.').waitFor();

    const name = `anika${Date.now().toString(36)}`;
    await page.getByLabel('Username').pressSequentially(`${name.slice(0, 5)}. ${name.slice(5)}`);
    await page.getByLabel('Email').fill(`${name}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill('secret-1');
    await submit.click();
    await heading(page, name).waitFor();
    await toast(page, 'Account created successfully!').waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    await page.getByText('Please verify your email.').waitFor();
    await page.getByText('No deals yet. The first line is yours.').waitFor();

    await page.getByRole('button', { name: 'Profile menu' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await heading(page, 'Login').waitFor();
    await page.goto('/dashboard');
    await heading(page, 'Login').waitFor();
  });

  it('moves nothing when the reminder to verify comes late', async () => {
    const { context, page } = await visit(browser, { width: 360 });
    const username = await signUp(context);
    const reminder = await holdAnswer(page, '**/assets/verify-r*.js');
    await page.goto('/dashboard');
    const place = () => heading(page, username).evaluate((element) => element.getBoundingClientRect().top);
    await heading(page, username).waitFor();
    await reminder.done;
    const before = await place();
    reminder.letThrough();
    await page.getByRole('button', { name: 'Send again' }).waitFor();
    expect(await place()).toBe(before);
  });

  it('keeps a friend’s code until the sign-up', async () => {
    const { page } = await visit(browser);
    await page.goto('/referral/FRIEND7');
    await heading(page, 'Create Account').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('referredBy'))).toBe('FRIEND7');
  });

  it('lets a user whose session ended log in over the page', async () => {
    const { context, page } = await visit(browser);
    const username = await signUp(context);
    provoke(context, REFUSED);
    await page.goto('/dashboard');
    await heading(page, username).waitFor();
    await context.clearCookies();
    await page.getByRole('link', { name: /^Balance/ }).hover();
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page.clock.install();
    await page.clock.fastForward('05:00');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('alertdialog', { name: 'Your session has ended.' }).waitFor();
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Login' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await heading(page, username).waitFor();
  });
});

describe('language and theme', () => {
  it('are switched at once and remembered', async () => {
    const { page } = await visit(browser);
    await page.goto('/');
    await page.locator('section[aria-live="polite"]').waitFor({ state: 'attached' });
    await page.getByRole('banner').getByRole('button', { name: 'বাংলা' }).click();
    await heading(page, /ইউটিউব চ্যানেল/).waitFor();
    expect(await page.title()).toBe('আমানত: নিশ্চিন্তে ইউটিউব চ্যানেল বেচুন');
    await page.getByRole('button', { name: 'ডার্ক থিম চালু করুন' }).click();
    await page.reload();
    await heading(page, /ইউটিউব চ্যানেল/).waitFor();
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.className])).toEqual([
      'bn',
      'dark',
    ]);
  });
});

describe('the profile menu', () => {
  it('is for everybody’s eyes and hands', async () => {
    const { context, page } = await visit(browser, { language: 'bn', theme: 'dark', width: 360 });
    await signIn(context, 'buyer');
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'প্রোফাইল মেনু' }).click();
    await page.getByRole('menu').waitFor();
    await expectAccessible(page);
  });
});
