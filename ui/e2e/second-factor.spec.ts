import type { CDPSession, Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { codeOf, enterMailedCode, setUpApp, wrongCode } from './support/factor';
import { provoke, REFUSED } from './support/faults';
import { DEMO_PASSWORD, type Person, verifyAddress } from './support/people';
import { toast, whole } from './support/screen';
import { expect, test } from './support/test';

const main = (page: Page) => page.getByRole('main');

/** A virtual device with a fingerprint reader. */
async function device(page: Page): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return { cdp, id };
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Enters name and password on /login. */
async function firstStep(page: Page, name: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await main(page).getByRole('button', { name: 'Login', exact: true }).click();
}

const arrived = (page: Page, { name }: Person) => expect(page.getByRole('heading', { name })).toBeVisible({ timeout: 20_000 });

test('the authenticator app is set up, and asked for at the next login; a backup code does, too, once', async ({
  newcomer,
  visit,
}) => {
  const person = await newcomer('rahim');
  const { secret, used, codes } = await setUpApp(person);
  await expect(person.page.getByText('10 of 10 left')).toBeVisible();
  await expectAccessible(person.page);

  const { page, context } = await visit({ width: 360, theme: 'dark' });
  provoke(context, REFUSED);
  await firstStep(page, person.name);
  await expect(page.getByRole('heading', { level: 1, name: 'Two-step login' })).toBeVisible();
  const field = page.getByLabel('Code from your authenticator app');
  await expect(field).toBeFocused();
  await expectAccessible(page);

  // A wrong code is marked and selected, so that the next one replaces it.
  await field.fill(wrongCode(secret));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(main(page).getByText('This code is not right.')).toBeVisible();
  await expect(field).toBeFocused();
  expect(await field.evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd])).toEqual([0, 6]);
  await expectAccessible(page);

  // The code of the set-up has been used.
  await field.fill(used);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(main(page).getByText('This code has been used. Wait for the next one.')).toBeVisible();
  await field.fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Verify' }).click();
  await arrived(page, person);

  await context.clearCookies();
  await firstStep(page, person.name);
  await page.getByRole('button', { name: 'Use a backup code instead' }).click();
  await page.getByLabel('Backup code').fill((codes[0] ?? '').toLowerCase().replace('-', ' '));
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Verify' }).click();
  await arrived(page, person);
  await page.goto('/security');
  await expect(page.getByText('9 of 10 left')).toBeVisible();
});

test('the second step is asked for over a page whose session has ended', { tag: '@soak' }, async ({ newcomer }) => {
  const person = await newcomer('rahim');
  const { page, context } = person;
  const { secret } = await setUpApp(person);
  await page.goto('/balance');
  await whole(page);
  provoke(context, REFUSED);
  await context.request.post('/api/auth/logout');
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await dialog.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByRole('alertdialog', { name: 'Two-step login' })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Code from your authenticator app').fill(codeOf(secret, 1));
  await dialog.getByRole('button', { name: 'Verify' }).click();
  await expect(dialog).toHaveCount(0);
});

test('passkeys log in alone or as the second step; there may be two of them, and one is removed', async ({ newcomer }) => {
  const person = await newcomer('rahim');
  const { page, context } = person;
  const { cdp, id } = await device(page);
  await verifyAddress(person);
  provoke(context, REFUSED);
  await page.goto('/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(/Chrome/);
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Name' }).fill('My phone');
  await page.getByRole('button', { name: 'Continue' }).click();
  await enterMailedCode(person);
  await expect(page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('My phone')).toBeVisible();

  // The same device is refused.
  await addPasskey(page, 'Again');
  await expect(page.getByText('This device has a passkey for your account already.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();

  // Another device. The first one keeps its key for later.
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id });
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: id });
  const second = await device(page);
  await addPasskey(page, 'My laptop');
  await expect(toast(page, 'The passkey is added.')).toBeVisible();
  await expect(page.getByText('My laptop')).toBeVisible();
  await page.getByRole('button', { name: 'Rename: My laptop' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Work laptop');
  await page.getByRole('button', { name: 'Save' }).last().click();
  await expect(page.getByText('Work laptop')).toBeVisible();
  await expectAccessible(page);

  // As the only step.
  await context.request.post('/api/auth/logout');
  await context.clearCookies();
  await page.goto('/login');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await arrived(page, person);

  // As the second step.
  await context.clearCookies();
  provoke(context, REFUSED);
  await firstStep(page, person.name);
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await arrived(page, person);

  // The removed passkey fails; the other one works.
  await page.goto('/security');
  await page.getByRole('button', { name: 'Remove: Work laptop' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Every other browser is logged out.');
  await expectAccessible(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Work laptop')).toHaveCount(0);
  await context.clearCookies();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('This passkey is not known here.');
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: second.id });
  const first = await device(page);
  for (const credential of credentials) await cdp.send('WebAuthn.addCredential', { authenticatorId: first.id, credential });
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await arrived(page, person);
});
