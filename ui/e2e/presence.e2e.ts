import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch } from './support/browser';
import { conversation, write } from './support/chat';
import { liveAt } from './support/live';
import { newcomer } from './support/people';
import { says } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** The dot at the picture of somebody in the list. */
const dot = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name }).locator('.avatar__on');

describe('who is online', () => {
  it('is seen by whom he talks with, until he goes, and by no stranger', async () => {
    const [me, other, third, stranger] = [
      await newcomer(browser, 'nusrat'),
      await newcomer(browser, 'tanvir', { width: 360 }),
      await newcomer(browser, 'farhana'),
      await newcomer(browser, 'moni'),
    ];
    // Both have written: they are strangers no more.
    const [ours, theirs] = [await conversation(me, other), await conversation(third, stranger)];
    await write(other, ours, 'Hello to you');
    await write(me, ours, 'Hello');
    await write(third, theirs, 'Hello');
    await write(stranger, theirs, 'Hello to you');
    // Who was written to and has not answered is told of nobody, and seen by nobody.
    await write(me, await conversation(me, stranger), 'Are you there?');
    /** Everybody of whom the stranger is told. */
    const told = new Set<string>();
    stranger.page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        const { type, data } = JSON.parse(String(payload)) as { type: string; data: unknown };
        if (type === 'getOnlineUsers') for (const id of (data as string[] | null) ?? []) told.add(id);
      }),
    );
    await liveAt(stranger, '/inbox');
    await liveAt(me, '/inbox');
    await says(me.page, 'Me: Hello');
    expect(await dot(me.page, other.name).count()).toBe(0);

    await liveAt(other, '/dashboard');
    await dot(me.page, other.name).waitFor();
    await other.page.goto('about:blank');
    await dot(me.page, other.name).waitFor({ state: 'detached' });

    // The stranger hears of his own partner later than of anybody before.
    await liveAt(third, '/dashboard');
    await dot(stranger.page, third.name).waitFor();
    expect([...told]).toEqual([third.id]);
  });
});
