import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible, launch } from './support/browser';
import { bubbles, conversation, field, listen, log, photo, say, write } from './support/chat';
import { breakOff, holdAnswer } from './support/network';
import { newcomer, type Person } from './support/people';
import { heading } from './support/screen';

let browser: Browser;
let me: Person;
let other: Person;
let id: string;
beforeAll(async () => {
  browser = await launch();
});
beforeEach(async () => {
  me = await newcomer(browser, 'nusrat', { width: 360 });
  other = await newcomer(browser, 'tanvir');
  id = await conversation(me, other);
  await write(other, id, 'Hello');
});
afterAll(() => browser.close());

const SEND = '**/api/messages';

/** Under the last of one's own messages that the server has. */
const ticks = (page: Page) => log(page).locator('.msg__ticks');

describe('a message that was not sent', () => {
  it('is there after a reload, and is sent again as the same one', async () => {
    const { page } = me;
    await page.goto(`/inbox/${id}`);
    await log(page).getByText('Hello').waitFor();
    await breakOff(page, SEND);
    await say(page, 'one');
    const file = { name: 'photo.png', mimeType: 'image/png', buffer: await photo(page) };
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.getByAltText('The image you are about to send').waitFor();
    await say(page, 'with a picture');
    await log(page).getByText('Not sent').first().waitFor({ timeout: 15_000 });

    await page.reload();
    await expect.poll(() => log(page).getByText('Not sent').count()).toBe(2);
    expect(await bubbles(page)).toEqual(['Hello', 'one', 'with a picture']);
    expect(await field(page).inputValue()).toBe('');
    await expectAccessible(page);
    await page.unroute(SEND);
    for (const left of [1, 0]) {
      await log(page).getByRole('button', { name: 'Retry' }).first().click();
      await expect.poll(() => log(page).getByText('Not sent').count()).toBe(left);
      await log(page).getByText('Sending').waitFor({ state: 'detached' });
    }
    await page.reload();
    await ticks(page).waitFor();
    expect(await log(page).getByText('Not sent').count()).toBe(0);
    await listen(other.page, `/inbox/${id}`);
    await expect.poll(() => bubbles(other.page)).toEqual(['Hello', 'one', 'with a picture']);
    await log(other.page)
      .getByRole('button', { name: `Image from ${me.name}` })
      .waitFor();
  });

  it('but had arrived when the page was loaded anew is not offered again', async () => {
    const { page } = me;
    await page.goto(`/inbox/${id}`);
    await log(page).getByText('Hello').waitFor();
    const { done } = await holdAnswer(page, SEND);
    await page.routeWebSocket('**/api/ws**', () => undefined);
    await say(page, 'was that sent?');
    await done;
    await page.reload();
    await log(page).getByText('was that sent?').waitFor();
    await ticks(page).waitFor();
    expect(await log(page).getByText('was that sent?').count()).toBe(1);
    expect(await log(page).getByText('Not sent').count()).toBe(0);
  });

  it('can be removed, and a log-out leaves none behind', async () => {
    const { page } = me;
    await breakOff(page, SEND);
    await page.goto(`/inbox/${id}`);
    await log(page).getByText('Hello').waitFor();
    await say(page, 'never mind');
    await log(page).getByRole('button', { name: 'Remove' }).click();
    await log(page).getByText('never mind').waitFor({ state: 'detached' });
    expect(await field(page).inputValue()).toBe('');
    await say(page, 'between us');
    await log(page).getByText('Not sent').waitFor();
    await page.reload();
    await log(page).getByText('between us').waitFor();
    const kept = () => page.evaluate(() => JSON.stringify(sessionStorage));
    expect(await kept()).toContain('between us');
    await page.goto('/balance');
    await page.waitForLoadState('networkidle'); // a call on its way would be refused after the log-out
    await page.getByRole('button', { name: 'Profile menu' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await heading(page, 'Login').waitFor();
    expect(await kept()).not.toContain('between us');
  });
});
