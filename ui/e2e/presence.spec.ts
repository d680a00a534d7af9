import type { Page } from '@playwright/test';
import { conversation, write } from './support/chat';
import { liveAt } from './support/live';
import { says } from './support/screen';
import { expect, test } from './support/test';

/** The dot at the picture of somebody in the list. */
const dot = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name }).getByText('online', { exact: true });

test.describe('who is online', () => {
  test('is seen by whom he talks with, until he goes, and by no stranger', async ({ newcomer }) => {
    const [me, other, third, stranger] = [
      await newcomer('nusrat'),
      await newcomer('tanvir', { width: 360 }),
      await newcomer('farhana'),
      await newcomer('moni'),
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
    await expect(dot(me.page, other.name)).toHaveCount(0);

    await liveAt(other, '/dashboard');
    await expect(dot(me.page, other.name)).toBeVisible();
    await other.page.goto('about:blank');
    await expect(dot(me.page, other.name)).toHaveCount(0);

    // The stranger hears of his own partner later than of anybody before.
    await liveAt(third, '/dashboard');
    await expect(dot(stranger.page, third.name)).toBeVisible();
    expect([...told]).toEqual([third.id]);
  });
});
