import type { Locator, Page } from '@playwright/test';
import { listen } from './support/chat';
import { expectAccessible } from './support/checks';
import { provoke, REFUSED } from './support/faults';
import { DEMO_PASSWORD } from './support/people';
import { says, toast } from './support/screen';
import { expect, test } from './support/test';

/** Logs in again over the page. */
async function comeBack(page: Page): Promise<void> {
  const ended = page.getByRole('alertdialog', { name: 'Your session has ended.' });
  await expect(ended).toBeVisible();
  await expectAccessible(page);
  await ended.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await ended.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(ended).toHaveCount(0);
}

const NEW_DEAL = { Price: '12.50', Description: 'Ten photos' };

async function fillInDeal(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: /^Find by username/ }).click();
  await dialog.getByRole('combobox', { name: 'Who is the deal with?' }).fill('seller');
  await dialog.getByRole('option', { name: 'seller', exact: true }).click();
  await dialog.getByRole('radio', { name: /^Buyer/ }).click();
  for (const [label, value] of Object.entries(NEW_DEAL)) await dialog.getByLabel(label).fill(value);
  await dialog.getByRole('group', { name: 'Deliver within' }).getByText('7 days').click();
}

test('a session that ends leaves what is typed to its user, who logs in over the page', async ({ newcomer }) => {
  const { page, context } = await newcomer('rafi', { width: 360 });
  provoke(context, REFUSED);

  await test.step('Ended elsewhere, it is over on the open page at once', async () => {
    await listen(page, '/reportabug');
    await page.getByLabel('Subject').fill('No picture');
    await page.getByLabel('Description').fill('It stays white.');
    expect((await context.request.post('/api/auth/logout')).ok()).toBe(true);
    await comeBack(page);
    await expect(page.getByLabel('Subject')).toHaveValue('No picture');
    await page.getByRole('button', { name: 'Submit report' }).click();
    await expect(toast(page, 'Thank you! Your report has been submitted.')).toBeVisible();
  });

  await test.step('Found ended when a form in a dialog is sent, it leaves the dialog as it is', async () => {
    await page.goto('/deal');
    await page.getByRole('button', { name: 'Create Deal' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create Deal' });
    await fillInDeal(dialog);
    await context.clearCookies();
    const send = dialog.getByRole('button', { name: 'Send', exact: true });
    await send.click();
    await comeBack(page);
    await expect(dialog.getByRole('combobox', { name: 'Who is the deal with?' })).toHaveValue('seller');
    for (const [label, value] of Object.entries(NEW_DEAL)) await expect(dialog.getByLabel(label)).toHaveValue(value);
    await expect(dialog.getByRole('radio', { name: '7 days' })).toBeChecked();
    await send.click();
    await expect(toast(page, 'Deal created!')).toBeVisible();
    await says(page, 'Ten photos');
  });
});
