import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { wallet } from './support/people';
import { says } from './support/screen';
import { expect, test } from './support/test';

/** Shorter than the page's polling interval with a connection. */
const AT_ONCE = { timeout: 12_000 };

async function looksRight(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectFits(page);
}

/** Goes to the page of bKash for $50. */
async function toBkash(page: Page): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Add money with bKash' });
  await form.getByLabel('Amount to add').fill('50');
  await form.getByRole('button', { name: /^Pay ৳[\d,]+ with bKash$/ }).click();
  await expect(page.getByRole('heading', { name: 'Simulated bKash' })).toBeVisible(AT_ONCE);
}

test('a payment on the page of bKash is credited at once', async ({ newcomer }) => {
  const person = await newcomer('nusrat', { width: 360 });
  const { page } = person;
  await page.goto('/deposit?method=Bkash');

  await test.step('Who cancels comes back to the form, with the amount', async () => {
    await toBkash(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('heading', { name: 'Nothing was paid' })).toBeVisible(AT_ONCE);
    await says(page, 'You left bKash without paying.');
    await looksRight(page);
    await page.getByRole('link', { name: 'Try again' }).click();
    const form = page.getByRole('dialog', { name: 'Add money with bKash' });
    await expect(form.getByLabel('Amount to add')).toHaveValue('50');
    await looksRight(page);
  });

  await test.step('Who pays has the money', async () => {
    await toBkash(page);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page.getByRole('heading', { name: '$50.00 is in your balance' })).toBeVisible(AT_ONCE);
    await looksRight(page);
    expect(await wallet(person)).toBe('50.00');
  });

  await test.step('An answer that is lost is asked for again', async () => {
    await page.goto('/deposit?method=Bkash');
    await expect(page.getByLabel('Amount to add')).toHaveValue('');
    await toBkash(page);
    await page.getByLabel('Fault').selectOption('2117');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page.getByRole('heading', { name: '$50.00 is in your balance' })).toBeVisible(AT_ONCE);
    expect(await wallet(person)).toBe('100.00');
  });
});
