import type { Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { fund, post } from './support/people';
import { heading, says, toast, whole } from './support/screen';
import { expect, test } from './support/test';

const total = async (page: Page, name: string): Promise<string> => {
  const value = page.getByRole('region', { name: 'Totals' }).locator('dl', { hasText: name }).locator('dd').first();
  await expect(value).toBeVisible();
  return (await value.textContent()) ?? '';
};

/** Finds somebody by the name and chooses him, with the keyboard alone. */
async function pick(page: Page, label: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(name);
  // Of those who were found by a part of it, one is left.
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual([expect.stringContaining(name)]);
  await page.keyboard.press('Enter');
}

test.describe('the admin area', () => {
  test('counts what happened in the chosen days', async ({ newcomer, admin }) => {
    const buyer = await newcomer('rafiq');
    await fund(admin, buyer, 77.25);
    const { page } = admin;
    await page.goto('/admin');
    await expect(heading(page, 'Dashboard')).toBeVisible();
    const lifetime = await total(page, 'Total deposits');
    expect(Number(lifetime.replace(/[$,]/g, ''))).toBeGreaterThanOrEqual(77.25);
    await expect(page.locator('[data-slot="trend-bar"]').first()).toBeAttached();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Custom' }).click();
    await page.getByLabel('First day').fill('2020-01-01');
    await page.getByLabel('Last day').fill('2020-01-31');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL('**/admin/dashboard?from=2020-01-01&to=2020-01-31');
    await says(page, 'No deposits in this period.');
    expect(await total(page, 'Total deposits')).toBe('$0.00');
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Lifetime' }).click();
    await says(page, lifetime);
    expect(await total(page, 'Total deposits')).toBe(lifetime);
    await page.getByText('The figures as a table').click();
    await expect(page.getByRole('table', { name: 'Trends' })).toBeVisible();
    await expectAccessible(page);
  });

  test('finds a user and disables him, who is signed out at once', async ({ newcomer, admin }) => {
    const rafiq = await newcomer('rafiq');
    const { page } = admin;
    await page.goto('/admin/users');
    await page.getByRole('searchbox', { name: 'Username or email' }).fill(rafiq.name);
    await expect(page.getByText('1 user found')).toBeAttached();
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('j');
    const drawer = page.getByRole('dialog', { name: rafiq.name });
    await drawer.getByRole('button', { name: 'Disable' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByLabel('Reason').fill('Sold what he did not have.');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Disable' }).click();
    await expect(toast(page, 'User disabled')).toBeVisible();
    await says(drawer, `${rafiq.name} is logged out everywhere and cannot log in.`);
    await expect(drawer.getByRole('button', { name: 'Enable' })).toBeVisible();
    await expectAccessible(page);
    expect((await rafiq.context.request.get('/api/wallet')).status()).toBe(401);
    await rafiq.page.goto('/dashboard');
    await rafiq.page.waitForURL('**/login**');

    await drawer.getByRole('link', { name: 'Audit log' }).click();
    await says(page, 'Sold what he did not have.');
    await expectAccessible(page);
  });

  test('shows what two users wrote, and logs the look', async ({ newcomer, admin }) => {
    const rafiq = await newcomer('rafiq');
    const moni = await newcomer('moni');
    const { conversation } = await post<{ conversation: { _id: string } }>(rafiq, '/messages/send-or-start', {
      receiverId: moni.id,
      text: 'Pay me outside.',
    });
    await post(moni, '/messages', { conversationId: conversation._id, text: 'No.' });
    const { page } = admin;
    await page.goto('/admin/chat');
    await pick(page, 'One user', rafiq.name);
    await pick(page, 'The other user', moni.name);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show messages' }).click();
    await says(page, 'Pay me outside.');
    await says(page, 'No.');
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Access log' }).click();
    await page.getByRole('link', { name: 'Chat inspected' }).first().click();
    const entry = page.getByRole('dialog', { name: 'Chat inspected' });
    await expect(entry.getByRole('link', { name: rafiq.name })).toBeVisible();
    await expect(entry.getByRole('link', { name: moni.name })).toBeVisible();
    await expectAccessible(page);
  });

  test('fits a phone, where the menu leads everywhere', async ({ signedIn }) => {
    const { page } = await signedIn('admin', { width: 360 });
    await page.goto('/admin');
    await expect(heading(page, 'Dashboard')).toBeVisible();
    for (const name of ['Users', 'Chat inspector', 'Notifications', 'Audit log', 'Dashboard']) {
      await page.keyboard.press('Control+b');
      await page.getByRole('dialog', { name: 'Admin' }).getByRole('link', { name }).click();
      await expect(heading(page, name)).toBeVisible();
      await whole(page);
      await expectAccessible(page);
    }
  });
});
