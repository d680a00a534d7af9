import { readFile } from 'node:fs/promises';
import { expectAccessible, expectFits } from './support/checks';
import { codeOf, setUpApp, wrongCode } from './support/factor';
import { provoke, REFUSED } from './support/faults';
import { fund, post } from './support/people';
import { heading, toast } from './support/screen';
import { expect, test } from './support/test';

test('a held withdrawal is confirmed with a code', async ({ newcomer, admin }) => {
  const { page, context, ...person } = await newcomer('rahim', { width: 360 });
  await fund(admin, { page, context, ...person }, 80);
  const { secret } = await setUpApp(page);
  await post({ context }, '/withdraw', { amount: 50, phonenumber: '01712345678', paymentMethod: 'Bkash' });
  await page.goto('/balance');
  const row = page.getByRole('listitem').filter({ hasText: 'Confirm now' });
  await expect(row).toContainText('$50.00');
  await row.getByRole('button', { name: 'Confirm now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm the withdrawal' });
  const field = dialog.getByLabel('Code from your authenticator app');
  await expectAccessible(page);
  await expectFits(page);

  provoke(context, REFUSED);
  await field.fill(wrongCode(secret));
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(dialog.getByText('This code is not right.')).toBeVisible();
  await field.fill(codeOf(secret, 1));
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(toast(page, 'Your withdrawal is confirmed.')).toBeVisible();
  await expect(page.getByText('You have confirmed it.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Confirm now' })).toHaveCount(0);
});

test('backup codes are printed alone, and downloaded', async ({ newcomer }) => {
  const { page, name } = await newcomer('rahim');
  await setUpApp(page);
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make new codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save your backup codes' });
  const listed = dialog.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
  await expect(listed).toHaveCount(10);
  const codes = await listed.allInnerTexts();

  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const saved = await readFile(await (await saving).path(), 'utf8');
  for (const code of codes) expect(saved).toContain(code);

  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  await dialog.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('html[data-printed]')).toHaveCount(1);
  await page.emulateMedia({ media: 'print' });
  const paper = (await page.locator('body').innerText()).split('\n').filter((line) => line.trim() !== '');
  expect(paper).toEqual([
    `Amanat backup codes of ${name}`,
    'Each code works once. Keep them where nobody else finds them.',
    ...codes,
  ]);
});

test('admins without two-step login are led to set it up', async ({ admin: { page, context } }) => {
  // The demo does not require it: the answer is the server's where it does.
  const body = { code: 'second_factor_missing', reason: 'second_factor_missing', message: 'Set up two-step login first.' };
  await context.route('**/api/admin/**', (route) => route.fulfill({ status: 403, json: body }));
  provoke(context, REFUSED);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/admin/deposit');
    await expect(heading(page, 'Set up two-step login first')).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  }
  await page.getByRole('link', { name: 'Open security settings' }).click();
  await expect(heading(page, 'Security')).toBeVisible();
});
