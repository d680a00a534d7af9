import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launch } from './support/browser';
import { bubbles, conversation, field, listen, log, popUp, say, scrollAbove, stands, view, write } from './support/chat';
import { lineOf } from './support/live';
import { newcomer, type Person, post } from './support/people';
import { heading, says } from './support/screen';

let browser: Browser;
let me: Person;
let other: Person;
let id: string;
beforeAll(async () => {
  browser = await launch();
});
beforeEach(async () => {
  me = await newcomer(browser, 'nusrat');
  other = await newcomer(browser, 'tanvir');
  id = await conversation(me, other);
  await write(other, id, 'Hello');
});
afterEach(() => Promise.all([me, other].map(({ context }) => context.close())));
afterAll(() => browser.close());

/** An uncompressed picture of so many pixels, three bytes each: what an old scanner makes. */
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

describe('a conversation', () => {
  it('is followed at 50 px from its end and not at 51', async () => {
    const { page } = me;
    for (let number = 1; number <= 25; number += 1) await write(other, id, `Message ${number}`);
    await listen(page, `/inbox/${id}`);
    await log(page).getByText('Message 25').waitFor();
    await scrollAbove(page, 50);
    await write(other, id, 'At fifty');
    await log(page).getByText('At fifty').waitFor();
    await expect.poll(async () => (await view(page)).below).toBeLessThanOrEqual(1);
    await scrollAbove(page, 51);
    const { above } = await view(page);
    await write(other, id, 'At fifty-one');
    await page.getByRole('button', { name: '1 new message' }).waitFor();
    expect((await view(page)).above).toBe(above);
  });

  it('has what was said while its line was cut, in order and once', async () => {
    const page = await me.context.newPage();
    const line = await lineOf(page);
    await line.liveAt(`/inbox/${id}`);
    await log(page).getByText('Hello').waitFor();
    await line.cut();
    await write(other, id, 'first');
    await write(other, id, 'second');
    // What one writes goes without the line.
    await say(page, 'and mine');
    await stands(page, 'Sent');
    await write(other, id, 'third');
    line.mend();
    await log(page).getByText('third').waitFor();
    await listen(other.page, `/inbox/${id}`);
    await log(other.page).getByText('third').waitFor();
    const ends = ['first', 'second', 'and mine', 'third'];
    await expect.poll(async () => (await bubbles(page)).slice(-4)).toEqual(ends);
    await expect.poll(async () => (await bubbles(other.page)).slice(-4)).toEqual(ends);
    await say(page, 'again');
    await stands(page, 'Read');
    await expect.poll(async () => (await bubbles(page)).slice(-2)).toEqual(['third', 'again']);
    await page.close();
  });

  it('takes the Enter of a phonetic keyboard for the end of a word', async () => {
    const { page, context } = me;
    await listen(page, `/inbox/${id}`);
    await log(page).getByText('Hello').waitFor();
    const before = await bubbles(page);
    const keyboard = await context.newCDPSession(page);
    await field(page).focus();
    await keyboard.send('Input.imeSetComposition', { text: 'আমি', selectionStart: 3, selectionEnd: 3 });
    await page.keyboard.press('Enter');
    await keyboard.send('Input.insertText', { text: 'আমি' });
    expect(await bubbles(page)).toEqual(before);
    expect((await field(page).inputValue()).trim()).toBe('আমি');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('there');
    await page.keyboard.press('Enter');
    await expect.poll(() => bubbles(page)).toHaveLength(before.length + 1);
    expect((await bubbles(page)).at(-1)).toMatch(/^আমি\s*\nthere$/);
  });

  it('takes a picture of more than 10 MB, made small', async () => {
    const { page } = me;
    await listen(other.page, `/inbox/${id}`);
    await listen(page, `/inbox/${id}`);
    const buffer = bitmap(2_400, 1_600);
    expect(buffer.length).toBeGreaterThan(10_000_000);
    await page.locator('input[type="file"]').setInputFiles({ name: 'scan.bmp', mimeType: 'image/bmp', buffer });
    await page.getByAltText('The image you are about to send').waitFor();
    const [sent] = await Promise.all([page.waitForRequest('**/api/messages'), field(page).press('Enter')]);
    expect(sent.postData()?.length ?? 0).toBeLessThan(500_000);
    await log(other.page)
      .getByRole('button', { name: `Image from ${me.name}` })
      .waitFor();
  });

  it('with oneself is refused', async () => {
    const answer = await me.context.request.post('/api/messages/send-or-start', { data: { receiverId: me.id, text: 'Hello' } });
    expect([answer.status(), ((await answer.json()) as { message: string }).message]).toEqual([
      400,
      'You cannot message yourself.',
    ]);
    const words = { title: 'Mine alone', description: 'As it stands.', price: 5, category: 'Freelance Service' };
    const { _id } = await post(me, '/posts', { ...words, subcategory: 'Writing', image: '', tags: [] });
    await me.page.goto(`/posts/${_id}`);
    await says(me.page, 'This is your post.');
    expect(await me.page.getByRole('button', { name: 'Contact Me' }).count()).toBe(0);
  });
});

describe('somebody who types', () => {
  it('is seen to, until he stops', async () => {
    await listen(me.page, `/inbox/${id}`);
    await listen(other.page, `/inbox/${id}`);
    const sign = log(me.page).getByRole('img', { name: `${other.name} is typing` });
    await field(other.page).press('h');
    await sign.waitFor();
    await sign.waitFor({ state: 'detached' });
  });
});

describe('the pop-up', () => {
  it('tells of other conversations than the open one, and leads there', async () => {
    const third = await newcomer(browser, 'farhana');
    const theirs = await conversation(me, third);
    const { page } = me;
    await listen(page, `/inbox/${id}`);
    await log(page).getByText('Hello').waitFor();
    await write(other, id, 'Here you look');
    await log(page).getByText('Here you look').waitFor();
    await write(third, theirs, 'Here you do not look');
    const notice = popUp(page).filter({ hasText: `New message from ${third.name}` });
    // It goes by itself, but not from under the pointer.
    await notice.hover();
    await says(notice, 'Here you do not look');
    expect(await popUp(page).filter({ hasText: 'Here you look' }).count()).toBe(0);
    const row = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: new RegExp(third.name) });
    await row.getByRole('img', { name: 'unread' }).waitFor();
    await notice.click();
    await heading(page, third.name)
      .or(page.getByRole('link', { name: third.name }).first())
      .first()
      .waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/inbox/${theirs}`);
    await log(page).getByText('Here you do not look').waitFor();
    await row.getByRole('img', { name: 'unread' }).waitFor({ state: 'detached' });

    // On another page the pop-up tells of both.
    await listen(page, '/balance');
    await write(other, id, 'And now?');
    await popUp(page).filter({ hasText: 'And now?' }).waitFor();
  });
});
