import { expect } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expectAccessible } from './checks';
import { provoke, REFUSED } from './faults';
import { mailedCode, type Person, verifyAddress } from './people';

/** Each code works once, and the server accepts those of a step before and after. */
const PERIOD_MS = 30_000;
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * PERIOD_MS });

/** A code outside the accepted steps. */
export const wrongCode = (secret: string) =>
  ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => ![-2, -1, 0, 1, 2].some((steps) => codeOf(secret, steps) === code),
  ) ?? '';

/** Enters the mailed code. */
export async function enterMailedCode({ page, ...person }: Pick<Person, 'context' | 'name' | 'page'>): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Enter the code from your email' });
  await expect(dialog.getByText(`We emailed an 8-digit code to ${person.name}@example.com.`)).toBeVisible();
  await expect(dialog.getByLabel('Code from the email')).toBeFocused();
  await expectAccessible(page);
  await dialog.getByLabel('Code from the email').fill(await mailedCode(person));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toHaveCount(0);
}

/**
 * Sets up the authenticator app on /security, and returns its secret, the used code, and the backup
 * codes.
 */
export async function setUpApp(person: Person): Promise<{ secret: string; used: string; codes: string[] }> {
  const { page, context } = person;
  await verifyAddress(person);
  // It needs a mailed code.
  provoke(context, REFUSED);
  await page.goto('/security');
  await page.getByRole('button', { name: 'Set up' }).click();
  await enterMailedCode(person);
  const dialog = page.getByRole('dialog');
  // Not the page between the two dialogs, whose button is still changing.
  await expect(dialog.locator('[data-slot="totp-secret"]')).toBeVisible();
  await expectAccessible(page);
  const secret = (await dialog.locator('[data-slot="totp-secret"]').innerText()).replaceAll(/\s/g, '');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByLabel('6-digit code')).toBeFocused();
  await expectAccessible(page);
  // With a space, as some apps copy it.
  const used = codeOf(secret);
  await dialog.getByLabel('6-digit code').fill(used.replace(/^(...)/, '$1 '));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const list = dialog.getByRole('list', { name: 'Backup codes' });
  await expect(list.getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);
  const codes = await list.getByRole('listitem').allInnerTexts();
  await page.keyboard.press('Escape');
  await expect(list).toBeVisible(); // closing needs a confirmation
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await expect(dialog).toHaveCount(0);
  return { secret, used, codes };
}
