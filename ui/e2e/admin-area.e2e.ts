import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launch } from './support/browser';
import { admin, fund, newcomer, post } from './support/people';
import { heading, says, toast, whole } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const total = async (page: Page, name: string): Promise<string> => {
  const value = page.locator('.totals dl', { hasText: name }).locator('dd').first();
  await value.waitFor();
  return (await value.textContent()) ?? '';
};

/** Finds somebody by the name and chooses him, with the keyboard alone. */
async function pick(page: Page, label: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(name);
  // Of those who were found by a part of it, one is left.
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual([expect.stringContaining(name)]);
  await page.keyboard.press('Enter');
}

describe('the admin area', () => {
  it('counts what happened in the chosen days', async () => {
    const boss = await admin(browser);
    const buyer = await newcomer(browser, 'rafiq');
    await fund(boss, buyer, 77.25);
    const { page } = boss;
    await page.goto('/admin');
    await heading(page, 'Dashboard').waitFor();
    const lifetime = await total(page, 'Total deposits');
    expect(Number(lifetime.replace(/[$,]/g, ''))).toBeGreaterThanOrEqual(77.25);
    await page.locator('.trend__bar').first().waitFor({ state: 'attached' });
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Custom' }).click();
    await page.getByLabel('First day').fill('2020-01-01');
    await page.getByLabel('Last day').fill('2020-01-31');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL('**/admin/dashboard?from=2020-01-01&to=2020-01-31');
    await says(page, 'No deposits in these days.');
    expect(await total(page, 'Total deposits')).toBe('$0.00');
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Lifetime' }).click();
    await says(page, lifetime);
    expect(await total(page, 'Total deposits')).toBe(lifetime);
    await page.getByText('The figures as a table').click();
    await page.getByRole('table', { name: 'Over time' }).waitFor();
    await expectAccessible(page);
  });

  it('finds a user and disables him, who is signed out at once', async () => {
    const boss = await admin(browser);
    const rafiq = await newcomer(browser, 'rafiq');
    const { page } = boss;
    await page.goto('/admin/users');
    await page.getByRole('searchbox', { name: 'Username or email' }).fill(rafiq.name);
    await page.getByText('1 user found').waitFor({ state: 'attached' });
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('j');
    const drawer = page.getByRole('dialog', { name: rafiq.name });
    await drawer.getByRole('button', { name: 'Disable' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByLabel('Reason').fill('Sold what he did not have.');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Disable' }).click();
    await toast(page, 'User disabled').waitFor();
    await says(drawer, `${rafiq.name} is signed out everywhere and cannot sign in.`);
    await expectAccessible(page);
    expect((await rafiq.context.request.get('/api/wallet')).status()).toBe(401);
    await rafiq.page.goto('/dashboard');
    await rafiq.page.waitForURL('**/login**');

    await drawer.getByRole('link', { name: 'Audit log' }).click();
    await says(page, 'Sold what he did not have.');
    await expectAccessible(page);
  });

  it('shows what two users wrote, and logs the look', async () => {
    const boss = await admin(browser);
    const rafiq = await newcomer(browser, 'rafiq');
    const moni = await newcomer(browser, 'moni');
    const { conversation } = await post<{ conversation: { _id: string } }>(rafiq, '/messages/send-or-start', {
      receiverId: moni.id,
      text: 'Pay me outside.',
    });
    await post(moni, '/messages', { conversationId: conversation._id, text: 'No.' });
    const { page } = boss;
    await page.goto('/admin/chat');
    await pick(page, 'One user', rafiq.name);
    await pick(page, 'The other user', moni.name);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show messages' }).click();
    await says(page, 'Pay me outside.');
    await says(page, 'No.');
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Looks so far' }).click();
    await page.getByRole('link', { name: 'Messages looked at' }).first().click();
    const entry = page.getByRole('dialog', { name: 'Messages looked at' });
    await entry.getByRole('link', { name: rafiq.name }).waitFor();
    await entry.getByRole('link', { name: moni.name }).waitFor();
    await expectAccessible(page);
  });

  it('fits a phone, where the menu leads everywhere', async () => {
    const boss = await admin(browser, { width: 360 });
    const { page } = boss;
    await page.goto('/admin');
    await heading(page, 'Dashboard').waitFor();
    for (const name of ['Users', 'Chat inspector', 'Notifications', 'Audit log', 'Dashboard']) {
      await page.keyboard.press('Control+b');
      await page.getByRole('dialog', { name: 'Admin' }).getByRole('link', { name }).click();
      await heading(page, name).waitFor();
      await whole(page);
      await expectAccessible(page);
    }
  });
});
