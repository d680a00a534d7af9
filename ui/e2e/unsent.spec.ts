import type { Page } from '@playwright/test';
import { bubbles, field, listen, log, photo, say } from './support/chat';
import { expectAccessible } from './support/checks';
import { breakOff } from './support/network';
import { expect, test } from './support/thread';

test.use({ buyerLook: { width: 360 }, sellerLook: { width: 1280 } });

const SEND = '**/api/messages';

/** The state of the last own message on the server. */
const ticks = (page: Page) => log(page).locator('[data-slot="message-state"]');

test('a message that was not sent is there after a reload, and is sent again as the same one', async ({
  thread,
  buyer,
  seller,
}) => {
  const { page } = buyer;
  await page.goto(`/inbox/${thread}`);
  await expect(log(page).getByText('Hello')).toBeVisible();
  await breakOff(page, SEND);
  await say(page, 'one');
  const file = { name: 'photo.png', mimeType: 'image/png', buffer: await photo(page) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await expect(page.getByAltText('The image you are about to send')).toBeVisible();
  await say(page, 'with a picture');
  await expect(log(page).getByText('Not sent').first()).toBeVisible({ timeout: 15_000 });

  await page.reload();
  await expect(log(page).getByText('Not sent')).toHaveCount(2);
  expect(await bubbles(page)).toEqual(['Hello', 'one', 'with a picture']);
  await expect(field(page)).toHaveValue('');
  await expectAccessible(page);
  await page.unroute(SEND);
  for (const left of [1, 0]) {
    await log(page).getByRole('button', { name: 'Retry' }).first().click();
    await expect(log(page).getByText('Not sent')).toHaveCount(left);
    await expect(log(page).getByText('Sending')).toHaveCount(0);
  }
  await page.reload();
  await expect(ticks(page)).toBeVisible();
  await expect(log(page).getByText('Not sent')).toHaveCount(0);
  await listen(seller.page, `/inbox/${thread}`);
  await expect.poll(() => bubbles(seller.page)).toEqual(['Hello', 'one', 'with a picture']);
  await expect(log(seller.page).getByRole('button', { name: `Image from ${buyer.name}` })).toBeVisible();
});
