import { expectAccessible, expectFits } from './support/checks';
import { expect, test } from './support/test';

const ENGLISH = {
  open: 'Statement and downloads',
  title: 'Statement',
  files: [
    { button: 'PDF', ending: 'pdf' },
    { button: 'Spreadsheet (CSV)', ending: 'csv' },
  ],
  deposits: 'Deposits',
};
const BANGLA: typeof ENGLISH = {
  open: 'বিবরণী ও ডাউনলোড',
  title: 'লেনদেনের বিবরণী',
  files: [
    { button: 'পিডিএফ', ending: 'pdf' },
    { button: 'স্প্রেডশিট (CSV)', ending: 'csv' },
  ],
  deposits: 'টাকা জমা',
};

for (const { look, words } of [
  { look: { width: 360, language: 'bn', theme: 'dark' }, words: BANGLA },
  { look: { width: 1280, language: 'en', theme: 'light' }, words: ENGLISH },
] as const)
  test(`the statement adds up and is downloaded, ${look.language} at ${look.width}`, async ({ signedIn }) => {
    const { page } = await signedIn('buyer', look);
    await page.goto('/balance');
    await page.getByRole('link', { name: words.open }).click();
    await expect(page.getByRole('heading', { level: 1, name: words.title })).toBeVisible();
    const table = page.getByRole('table');
    await expect(table.getByRole('link').first()).toBeVisible();
    await expectFits(page, '/balance/statement');
    await expectAccessible(page, '/balance/statement');

    const shown = await page.evaluate(async () => {
      const answer = await fetch('/api/wallet/statement?limit=100');
      return (await answer.json()) as { opening: number; in: number; out: number; closing: number; total: number };
    });
    expect(Math.round((shown.opening + shown.in - shown.out) * 100)).toBe(Math.round(shown.closing * 100));

    for (const { button, ending } of words.files) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: button }).click();
      expect((await download).suggestedFilename()).toMatch(new RegExp(`^amanat-buyer-\\d{4}-\\d\\d-\\d\\d\\.${ending}$`));
    }

    await page.getByRole('button', { name: words.deposits, exact: true }).click();
    await expect(page).toHaveURL(/kind=deposits/);
    await page.reload();
    await expect(page.getByRole('button', { name: words.deposits, exact: true })).toHaveAttribute('aria-pressed', 'true');
  });
