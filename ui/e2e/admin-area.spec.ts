import type { Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { provoke, REFUSED } from './support/faults';
import { post } from './support/people';
import { says, toast } from './support/screen';
import { expect, test } from './support/test';

/** Finds a user by name and chooses them with the keyboard. */
async function pick(page: Page, label: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(name);
  // Of several matches, one is left.
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual([expect.stringContaining(name)]);
  await page.keyboard.press('Enter');
}

test.describe('an admin', () => {
  test('reads what two users wrote and disables one of them, and both is logged', async ({ newcomer, admin }) => {
    const [rafiq, moni] = [await newcomer('rafiq'), await newcomer('moni')];
    await post(rafiq, '/messages/send-or-start', { receiverId: moni.id, text: 'Pay me outside.' });
    await rafiq.page.goto('/dashboard');
    const { page } = admin;

    await test.step('The chat of the two is shown', async () => {
      await page.goto('/admin/chat');
      await pick(page, 'One user', rafiq.name);
      await pick(page, 'The other user', moni.name);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show messages' }).click();
      await says(page, 'Pay me outside.');
      await expectAccessible(page);
    });

    await test.step('The look is logged', async () => {
      await page.getByRole('link', { name: 'Access log' }).click();
      await page.getByRole('link', { name: 'Chat inspected' }).first().click();
      const entry = page.getByRole('dialog', { name: 'Chat inspected' });
      for (const { name } of [rafiq, moni]) await expect(entry.getByRole('link', { name })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(entry).toBeHidden();
    });

    await test.step('One is found, disabled with a reason, and signed out at once', async () => {
      await page.getByRole('link', { name: 'Users', exact: true }).click();
      await page.getByRole('searchbox', { name: 'Username or email' }).fill(rafiq.name);
      await expect(page.getByText('1 user found')).toBeAttached();
      await page.keyboard.press('Tab');
      await page.keyboard.press('j');
      const drawer = page.getByRole('dialog', { name: rafiq.name });
      await drawer.getByRole('button', { name: 'Disable' }).click();
      const question = page.getByRole('alertdialog');
      await question.getByLabel('Reason').fill('Asks to be paid outside.');
      await expectAccessible(page);
      provoke(rafiq.context, REFUSED);
      await question.getByRole('button', { name: 'Disable' }).click();
      await expect(toast(page, 'User disabled')).toBeVisible();
      await says(drawer, `${rafiq.name} is logged out everywhere and cannot log in.`);
      await expect(drawer.getByRole('button', { name: 'Enable' })).toBeVisible();
      await expectAccessible(page);
      await expect(rafiq.page.getByRole('alertdialog')).toBeVisible();
      expect((await rafiq.context.request.get('/api/wallet')).status()).toBe(401);
      await drawer.getByRole('link', { name: 'Audit log' }).click();
      await says(page, 'Asks to be paid outside.');
    });
  });
});
