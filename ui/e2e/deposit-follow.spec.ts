import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { leaveUnasked } from './support/live';
import { post, wallet } from './support/people';
import { heading, says } from './support/screen';
import { expect, test } from './support/test';

/** Shorter than the page's polling interval with a connection. */
const AT_ONCE = { timeout: 12_000 };

const CHECKING = /^আমরা ৳.* যাচাই করছি/;

/** The id of the open deposit. */
const idAt = (page: Page) => new URL(page.url()).pathname.split('/').pop() ?? '';

test('a deposit is followed until it is credited, on a phone in Bangla', async ({ newcomer, admin }) => {
  const person = await newcomer('nusrat', { width: 360, language: 'bn' });
  const { page } = person;
  const id = `F${Date.now().toString(36).slice(-9)}`.toUpperCase();
  await leaveUnasked(page);

  await test.step('The dialog turns into a receipt', async () => {
    await page.goto('/deposit');
    await page.getByRole('button', { name: /^বিকাশ/ }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('যত জমা দিতে চান').fill('100');
    await form.getByRole('textbox', { name: /^ট্রানজেকশন আইডি/ }).fill(id);
    await form.getByRole('button', { name: /পাঠিয়েছি/ }).click();
    const receipt = page.getByRole('dialog', { name: CHECKING });
    await says(receipt, id);
    await says(receipt, /পর্যন্ত আমরা জমা যাচাই করি/);
    await expectAccessible(page);
    await expectFits(page);
    await receipt.getByRole('link', { name: 'জমার অবস্থা দেখুন' }).click();
  });

  await test.step('Its page says what is going on, and Back leads to the deposits', async () => {
    await expect(heading(page, CHECKING)).toBeVisible();
    const steps = page.getByRole('region', { name: 'অবস্থা' });
    await expect(steps.locator('[aria-current="step"]')).toContainText('যাচাই চলছে');
    await expectAccessible(page);
    await expectFits(page);
    await page.goBack();
    await page.waitForURL(/\/deposit$/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.goForward();
    await expect(heading(page, CHECKING)).toBeVisible();
  });

  await test.step('It turns by itself when an admin approves', async () => {
    await post(admin, `/admin/deposit/approve/${idAt(page)}`, { amount: 100, userId: person.id });
    await expect(heading(page, '$১০০.০০ আপনার ব্যালেন্সে এসেছে')).toBeVisible(AT_ONCE);
    await expectAccessible(page);
    expect(await wallet(person)).toBe('100.00');
  });
});
