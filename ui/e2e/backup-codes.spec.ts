import { readFile } from 'node:fs/promises';
import { setUpApp } from './support/factor';
import { expect, test } from './support/test';

test('backup codes are printed alone, and downloaded', { tag: '@soak' }, async ({ newcomer }) => {
  const person = await newcomer('rahim');
  const { page, name } = person;
  await setUpApp(person);
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
