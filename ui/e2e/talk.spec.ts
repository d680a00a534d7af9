import type { Page } from '@playwright/test';
import { bubbles, conversation, field, listen, log, popUp, say, scrollAbove, stands, view, write } from './support/chat';
import { lineOf } from './support/live';
import { heading, NOW, says, stored } from './support/screen';
import { expect, test } from './support/thread';

/** An uncompressed picture of three bytes per pixel, as from an old scanner. */
function bitmap(width: number, height: number): Buffer {
  const HEAD = 54;
  const bytes = Buffer.alloc(HEAD + width * height * 3).fill(0x9f, HEAD);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(HEAD, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

const MESSAGES = /\/messages$/;

/** The online dot of a conversation in the list. */
const online = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name }).getByText('online', { exact: true });

/** Types with an input method whose Enter ends a word, and adds a second line. */
async function compose(page: Page): Promise<void> {
  const keyboard = await page.context().newCDPSession(page);
  const before = await bubbles(page);
  await field(page).focus();
  await keyboard.send('Input.imeSetComposition', { text: 'আমি', selectionStart: 3, selectionEnd: 3 });
  await page.keyboard.press('Enter');
  await keyboard.send('Input.insertText', { text: 'আমি' });
  expect(await bubbles(page)).toEqual(before);
  expect((await field(page).inputValue()).trim()).toBe('আমি');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('there');
  await stored(page, MESSAGES, () => page.keyboard.press('Enter'));
  await expect.poll(() => bubbles(page)).toHaveLength(before.length + 1);
  expect((await bubbles(page)).at(-1)).toMatch(/^আমি\s*\nthere$/);
}

test('two talk in one order, though the line of one was cut, and see who is there', async ({ thread, buyer, seller }) => {
  const { page } = buyer;
  const line = await lineOf(page);
  await line.liveAt(`/inbox/${thread}`);
  await expect(log(page).getByText('Hello')).toBeVisible();

  await test.step('The Enter of a phonetic keyboard ends a word', () => compose(page));

  await test.step('A number to pay to is warned of', async () => {
    await write(seller, thread, 'বিকাশ করেন ০১৭১২-৩৪৫৬৭৮');
    const warning = 'Contains a phone number. Only payments in a deal here are protected.';
    await expect(log(page).getByRole('note').getByText(warning)).toBeVisible();
  });

  const ends = ['first', 'second', 'and mine', 'third'];

  await test.step('What was said while the line was cut is there in order and once', async () => {
    await line.cut();
    await write(seller, thread, 'first');
    await write(seller, thread, 'second');
    // The line goes when the reader writes.
    await stored(page, MESSAGES, () => say(page, 'and mine'));
    await write(seller, thread, 'third');
    line.mend();
    await expect(log(page).getByText('third')).toBeVisible();
    await expect.poll(async () => (await bubbles(page)).slice(-4)).toEqual(ends);
  });

  await test.step('The other is online while the page is open, and reads', async () => {
    await expect(online(page, seller.name)).toHaveCount(0);
    await listen(seller.page, `/inbox/${thread}`);
    await expect.poll(async () => (await bubbles(seller.page)).slice(-4)).toEqual(ends);
    await expect(online(page, seller.name)).toBeVisible();
    await say(page, 'again');
    await stands(page, 'Read');
    await expect.poll(async () => (await bubbles(page)).slice(-2)).toEqual(['third', 'again']);
    await seller.page.goto('about:blank');
    await expect(online(page, seller.name)).toHaveCount(0);
  });
});

test('a conversation is followed at 50 px from its end and not at 51', { tag: '@soak' }, async ({ thread, buyer, seller }) => {
  const { page } = buyer;
  for (let number = 1; number <= 25; number += 1) await write(seller, thread, `Message ${number}`);
  await listen(page, `/inbox/${thread}`);
  await expect(log(page).getByText('Message 25')).toBeVisible();
  await scrollAbove(page, 50);
  await write(seller, thread, 'At fifty');
  await expect(log(page).getByText('At fifty')).toBeVisible();
  await expect.poll(async () => (await view(page)).below).toBeLessThanOrEqual(1);
  await scrollAbove(page, 51);
  const { above } = await view(page);
  await write(seller, thread, 'At fifty-one');
  await expect(page.getByRole('button', { name: '1 new message' })).toBeVisible();
  expect((await view(page)).above).toBe(above);
});

test('a picture of more than 10 MB is made small', { tag: '@soak' }, async ({ thread, buyer, seller }) => {
  const { page } = buyer;
  await listen(seller.page, `/inbox/${thread}`);
  await listen(page, `/inbox/${thread}`);
  const buffer = bitmap(2_400, 1_600);
  expect(buffer.length).toBeGreaterThan(10_000_000);
  await page.locator('input[type="file"]').setInputFiles({ name: 'scan.bmp', mimeType: 'image/bmp', buffer });
  await expect(page.getByAltText('The image you are about to send')).toBeVisible();
  const [sent] = await Promise.all([page.waitForRequest('**/api/messages'), field(page).press('Enter')]);
  expect(sent.postData()?.length ?? 0).toBeLessThan(500_000);
  await expect(log(seller.page).getByRole('button', { name: `Image from ${buyer.name}` })).toBeVisible();
});

test('the pop-up tells of other conversations than the open one, and leads there', { tag: '@soak' }, async ({
  thread,
  newcomer,
  buyer,
  seller,
}) => {
  const third = await newcomer('farhana');
  const theirs = await conversation(buyer, third);
  const { page } = buyer;
  await listen(page, `/inbox/${thread}`);
  await expect(log(page).getByText('Hello')).toBeVisible();
  await write(seller, thread, 'Here you look');
  await expect(log(page).getByText('Here you look')).toBeVisible();
  await write(third, theirs, 'Here you do not look');
  const notice = popUp(page).filter({ hasText: `New message from ${third.name}` });
  // It goes by itself, but not under the pointer.
  await notice.hover();
  await says(notice, 'Here you do not look');
  await expect(popUp(page).filter({ hasText: 'Here you look' })).toHaveCount(0, NOW);
  const row = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: new RegExp(third.name) });
  await expect(row.getByRole('img', { name: 'unread' })).toBeVisible();
  await notice.click();
  await expect(
    heading(page, third.name)
      .or(page.getByRole('link', { name: third.name }).first())
      .first(),
  ).toBeVisible();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/inbox/${theirs}`);
  await expect(log(page).getByText('Here you do not look')).toBeVisible();
  await expect(row.getByRole('img', { name: 'unread' })).toHaveCount(0);

  // On another page, the toast announces both.
  await listen(page, '/balance');
  await write(seller, thread, 'And now?');
  await expect(popUp(page).filter({ hasText: 'And now?' })).toBeVisible();
});
