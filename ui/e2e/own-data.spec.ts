import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { conversation, log, write } from './support/chat';
import { expectAccessible, expectFits } from './support/checks';
import { offer } from './support/deals';
import { DEMO_PASSWORD, type Person } from './support/people';
import { says } from './support/screen';
import { expect, test } from './support/test';
import { unzip } from './support/zip';

const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name });

/** Requests and downloads a copy of the member's data. */
async function download({ page, name }: Person): Promise<Map<string, Buffer>> {
  const section = region(page, 'Your data');
  await section.getByRole('button', { name: 'Request a copy' }).click();
  await expect(section.getByRole('button', { name: 'Download' })).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  const coming = page.waitForEvent('download');
  await section.getByRole('button', { name: 'Download' }).click();
  const archive = await coming;
  expect(archive.suggestedFilename()).toMatch(new RegExp(`^amanat-${name}-\\d{4}-\\d{2}-\\d{2}\\.zip$`));
  return unzip(await readFile(await archive.path()));
}

/** Closes the account, which nothing blocks. */
async function close({ page, name }: Person): Promise<void> {
  await region(page, 'Close account').getByRole('button', { name: 'Close my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close your account for good?' });
  await expectAccessible(page);
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await dialog.getByRole('button', { name: 'Close my account' }).click();
  await expect(page).toHaveURL('/login');
  await says(page, /^Your account has been closed\. Thank you/);
  await expectAccessible(page);
}

test('one takes a copy of one’s data and closes the account; the other side keeps a conversation without its words', async ({
  buyer,
  seller,
}) => {
  const { page, name, context } = seller;
  const chat = await conversation(seller, buyer);
  await write(seller, chat, 'My number is in here.');
  await write(buyer, chat, 'I keep this.');
  const deal = await offer(buyer, seller, { price: 20 });
  await page.goto('/security');

  await test.step('The copy holds what one wrote, and with whom', async () => {
    const files = await download(seller);
    expect([...files.keys()]).toContain('README.txt');
    const words = [...files.values()].map((content) => content.toString('utf8')).join('\n');
    expect(words).toContain('My number is in here.');
    expect(words).toContain(buyer.name);
    expect(words).not.toContain('I keep this.');
  });

  await test.step('The account is closed once nothing is in the way', async () => {
    const section = region(page, 'Close account');
    await expect(section.getByRole('button')).toHaveCount(1);
    await expectFits(page);
    await close(seller);
    // A pending offer ends with the account.
    expect((await buyer.context.request.get(`/api/deals/${deal.id}`)).status()).toBe(404);
    const again = await context.request.post('/api/auth/login', { data: { username: name, password: DEMO_PASSWORD } });
    expect(again.status()).toBe(401);
  });

  await test.step('The words are gone from the conversation', async () => {
    await expect
      .poll(async () => {
        await buyer.page.goto(`/inbox/${chat}`);
        await expect(log(buyer.page)).toBeVisible();
        return log(buyer.page).innerText();
      })
      .toContain('This message was deleted.');
    await says(log(buyer.page), 'I keep this.');
    await expect(buyer.page.getByText('My number is in here.')).toHaveCount(0);
    await says(buyer.page.getByRole('main'), 'Closed account');
    await expectAccessible(buyer.page);
  });
});
