import { expectAccessible } from './support/checks';
import { chunkOf } from './support/chunks';
import { provoke, REFUSED } from './support/faults';
import { holdAnswer } from './support/network';
import { DEMO_PASSWORD } from './support/people';
import { heading, toast } from './support/screen';
import { expect, test } from './support/test';

test.describe('the way in and out', () => {
  test('leads a new user from the landing page to the dashboard', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Start a Transaction' }).first().click();
    await expect(heading(page, 'Create Account')).toBeVisible();
    const submit = page.getByRole('button', { name: 'Sign up' });
    await submit.click();
    await expect(toast(page, 'Username is required.')).toBeVisible();

    const name = `anika${Date.now().toString(36)}`;
    await page.getByLabel('Username').pressSequentially(`${name.slice(0, 5)}. ${name.slice(5)}`);
    await page.getByLabel('Email').fill(`${name}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill('secret-1');
    await submit.click();
    await expect(heading(page, name)).toBeVisible();
    await expect(toast(page, 'Account created successfully!')).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    await expect(page.getByText('Please verify your email.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible();

    await page.getByRole('button', { name: 'Profile menu' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(heading(page, 'Login')).toBeVisible();
    await page.goto('/dashboard');
    await expect(heading(page, 'Login')).toBeVisible();
  });

  test('moves nothing when the reminder to verify comes late', async ({ newcomer }) => {
    const { page, name } = await newcomer('user', { width: 360 });
    const reminder = await holdAnswer(page, `**${chunkOf('src/features/shell/banners/verify-reminder.tsx')}`);
    await page.goto('/dashboard');
    const place = () => heading(page, name).evaluate((element) => element.getBoundingClientRect().top);
    await expect(heading(page, name)).toBeVisible();
    await reminder.done;
    const before = await place();
    reminder.letThrough();
    await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();
    expect(await place()).toBe(before);
  });

  test('keeps a friend’s code until the sign-up', async ({ page }) => {
    await page.goto('/referral/FRIEND7');
    await expect(heading(page, 'Create Account')).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('referredBy'))).toBe('FRIEND7');
  });

  test('lets a user whose session ended log in over the page', async ({ newcomer }) => {
    const { page, context, name } = await newcomer('user');
    provoke(context, REFUSED);
    await page.goto('/dashboard');
    await expect(heading(page, name)).toBeVisible();
    await context.clearCookies();
    await page.getByRole('link', { name: /^Balance/ }).hover();
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page.clock.install();
    await page.clock.fastForward('05:00');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(page.getByRole('alertdialog', { name: 'Your session has ended.' })).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Login' }).click();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(heading(page, name)).toBeVisible();
  });
});

test.describe('language and theme', () => {
  test('are switched at once and remembered', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('section[aria-live="polite"]')).toBeAttached();
    await page.getByRole('banner').getByRole('button', { name: 'বাংলা' }).click();
    await expect(heading(page, /ইউটিউব চ্যানেল/)).toBeVisible();
    expect(await page.title()).toBe('আমানত: নিশ্চিন্তে ইউটিউব চ্যানেল বেচুন');
    await page.getByRole('button', { name: 'ডার্ক থিম চালু করুন' }).click();
    await page.reload();
    await expect(heading(page, /ইউটিউব চ্যানেল/)).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'bn');
    await expect(page.locator('html')).toContainClass('dark');
  });
});

test.describe('the profile menu', () => {
  test('is for everybody’s eyes and hands', async ({ signedIn }) => {
    const { page } = await signedIn('buyer', { language: 'bn', theme: 'dark', width: 360 });
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'প্রোফাইল মেনু' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectAccessible(page);
  });
});
