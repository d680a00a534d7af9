import { expect, type Locator, type Page } from '@playwright/test';
import { type Person, post } from './people';

export async function conversation(one: Person, other: Person): Promise<string> {
  const answer = await post<{ conversation: { _id: string } }>(one, '/messages/send-or-start', { receiverId: other.id });
  return answer.conversation._id;
}

/** Sends a message without the page. */
export const write = (person: Person, conversationId: string, text: string) =>
  post(person, '/messages', { conversationId, text });

/** Opens a page and waits for the socket's greeting: from then on it gets every event. */
export async function listen(page: Page, path: string): Promise<void> {
  // The previous page may be opening a socket of its own.
  await page.goto('/mark.svg');
  const greeted = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await page.goto(path);
  await greeted;
}

export const log = (page: Page): Locator => page.getByRole('log', { name: 'Messages' });
export const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });

export async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

/** The messages of a thread, oldest first. */
export const bubbles = (page: Page): Promise<string[]> => log(page).locator('[data-slot="message-text"]').allTextContents();

/** Waits for this state of the last own message. The log has other words that begin alike. */
export const stands = (page: Page, how: 'Sent' | 'Read'): Promise<void> =>
  expect(log(page).locator('[data-slot="message-state"]').filter({ hasText: how }).last()).toBeVisible();

export const popUp = (page: Page): Locator => page.locator('[data-slot="message-toast"]');

/** The distances of the view from the end and from the beginning. */
export const view = (page: Page): Promise<{ below: number; above: number }> =>
  log(page).evaluate((box) => ({ below: box.scrollHeight - box.scrollTop - box.clientHeight, above: box.scrollTop }));

/** Scrolls so that so many pixels are below the view. */
export const scrollAbove = (page: Page, pixels: number): Promise<void> =>
  log(page).evaluate((box, below) => box.scrollTo(0, box.scrollHeight - box.clientHeight - below), pixels);

/** A picture of two colours, larger than what is sent. */
export async function photo(page: Page): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [2_400, 1_600];
    const context = canvas.getContext('2d');
    if (context) {
      context.fillStyle = '#1b2140';
      context.fillRect(0, 0, 2_400, 1_600);
      context.fillStyle = '#e9b949';
      context.fillRect(200, 300, 900, 300);
    }
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
}
