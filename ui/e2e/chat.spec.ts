import { bubbles, conversation, field, listen, log, photo, popUp, say, scrollAbove, stands, view, write } from './support/chat';
import { expectAccessible } from './support/checks';
import { paid } from './support/deals';
import { breakOff, goOffline } from './support/network';
import { fund } from './support/people';
import { heading, NOW, says, toast } from './support/screen';
import { expect, test } from './support/test';

test.describe('two people', () => {
  test('talk about their deal, at a desk and on a phone', async ({ buyer, seller, admin }) => {
    await fund(admin, buyer, 500);
    const deal = await paid(buyer, seller, { price: 480, description: 'Ranna Ghor 24' });
    await listen(seller.page, '/dashboard');
    await expect(heading(seller.page, seller.name)).toBeVisible();

    const greeting = await test.step('A greeting is sent once and pops up', async () => {
      await buyer.page.goto(deal.path);
      const popsUp = popUp(seller.page)
        .filter({ hasText: `New message from ${buyer.name}` })
        .waitFor();
      await buyer.page.getByRole('button', { name: `Message ${seller.name}` }).click();
      await popsUp;
      await expect(log(buyer.page)).toBeVisible();
      const [greeting = ''] = await bubbles(buyer.page);
      expect(greeting).toContain('480.00');
      await expectAccessible(seller.page);
      await buyer.page.goto(deal.path);
      await buyer.page.getByRole('button', { name: `Message ${seller.name}` }).click();
      await expect(log(buyer.page)).toBeVisible();
      expect(await bubbles(buyer.page)).toEqual([greeting]);
      await stands(buyer.page, 'Sent');
      await says(buyer.page.getByRole('link', { name: /Your deal with / }), 'Ranna Ghor 24');
      await expectAccessible(buyer.page);
      return greeting;
    });

    await test.step('The pop-up opens the conversation, and reading is seen', async () => {
      await write(buyer, new URL(buyer.page.url()).pathname.split('/').pop() ?? '', 'Are you there?');
      await popUp(seller.page).filter({ hasText: 'Are you there?' }).click();
      await expect(log(seller.page)).toBeVisible();
      expect(new URL(seller.page.url()).pathname).toBe(new URL(buyer.page.url()).pathname);
      expect(await bubbles(seller.page)).toEqual([greeting, 'Are you there?']);
      await stands(buyer.page, 'Read');
      await expectAccessible(seller.page);
    });

    await test.step('Texts go both ways, without a pop-up for the open conversation', async () => {
      await say(seller.page, 'Yes. I have added you as owner.');
      await expect(log(buyer.page).getByText('Yes. I have added you as owner.')).toBeVisible();
      await stands(seller.page, 'Read');
      await expect(popUp(buyer.page)).toHaveCount(0, NOW);
    });

    await test.step('Typing is seen', async () => {
      const sign = log(buyer.page).getByRole('img', { name: `${seller.name} is typing` });
      const typing = async () => {
        await field(seller.page).press('h');
        return sign.count();
      };
      await expect.poll(typing).toBe(1);
      await expect(sign).toHaveCount(0);
    });

    await test.step('An image is made small before it is sent', async () => {
      await buyer.page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
      await expect(toast(buyer.page, 'Please select an image file!')).toBeVisible();
      const picture = { name: 'photo.png', mimeType: 'image/png', buffer: await photo(buyer.page) };
      await buyer.page.locator('input[type="file"]').setInputFiles(picture);
      await expect(buyer.page.getByAltText('The image you are about to send')).toBeVisible();
      await expectAccessible(buyer.page);
      await say(buyer.page, 'Is this the one?');
      await expect(log(seller.page).getByText('Is this the one?')).toBeVisible();
      await log(seller.page)
        .getByRole('button', { name: `Image from ${buyer.name}` })
        .click();
      const enlarged = seller.page.getByRole('dialog').getByRole('img');
      await expect.poll(() => enlarged.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1_280);
      await expectAccessible(seller.page);
      await seller.page.keyboard.press('Escape');
    });

    await test.step('A phone shows either the list or the conversation', async () => {
      await seller.page.getByRole('link', { name: 'All conversations' }).click();
      const row = seller.page
        .getByRole('navigation', { name: 'Conversations' })
        .getByRole('link', { name: new RegExp(buyer.name) });
      await says(row, `${buyer.name}: Is this the one?`);
      await expect(log(seller.page)).toHaveCount(0);
      expect(await row.evaluate((element) => element.getBoundingClientRect().height)).toBe(70);
      await expectAccessible(seller.page);
      await say(buyer.page, 'Look again');
      await expect(row.getByRole('img', { name: 'unread' })).toBeVisible();
      await says(row, `${buyer.name}: Look again`);
    });
  });
});

test.describe('a long conversation', () => {
  test('follows at its end only, and grows at its beginning without a jump', async ({ newcomer }) => {
    const me = await newcomer('nusrat');
    const other = await newcomer('tanvir');
    const id = await conversation(me, other);
    for (let number = 1; number <= 45; number += 1) await write(number % 3 === 0 ? me : other, id, `Message ${number}`);
    const { page } = me;
    await listen(page, `/inbox/${id}`);
    await expect(log(page).getByText('Message 45')).toBeVisible();
    expect((await view(page)).below).toBeLessThanOrEqual(1);

    await scrollAbove(page, 45);
    await write(other, id, 'Near enough');
    await expect(log(page).getByText('Near enough')).toBeVisible();
    await expect.poll(async () => (await view(page)).below).toBeLessThanOrEqual(1);

    await scrollAbove(page, 120);
    const { above } = await view(page);
    await write(other, id, 'Too far');
    const jump = page.getByRole('button', { name: '1 new message' });
    await expect(jump).toBeVisible();
    expect((await view(page)).above).toBe(above);
    await expectAccessible(page);
    await jump.click();
    expect((await view(page)).below).toBeLessThanOrEqual(1);

    // The newest 30 load first, then the rest; the scroll position stays.
    await page.goto(`/inbox/${id}`);
    await expect(log(page).getByText('Too far')).toBeVisible();
    const place = log(page).getByText('Message 20', { exact: true });
    const top = () => place.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    const tops: number[] = [];
    await page.route(/before=/, async (route) => {
      tops.push(await top());
      await route.continue();
    });
    await log(page).evaluate((box) => box.scrollTo(0, 40));
    await expect(log(page).getByText('Message 1', { exact: true })).toBeVisible();
    tops.push(await top());
    expect(tops).toHaveLength(2);
    expect(tops[1]).toBe(tops[0]);
    expect(await bubbles(page)).toHaveLength(47);
  });
});

test.describe('a bad connection', () => {
  test('loses nothing and doubles nothing', async ({ newcomer }) => {
    const me = await newcomer('nusrat', { width: 360 });
    const other = await newcomer('tanvir');
    const id = await conversation(me, other);
    await write(other, id, 'Hello');
    const { page, context } = me;
    await listen(page, `/inbox/${id}`);
    await expect(log(page).getByText('Hello')).toBeVisible();
    await listen(other.page, `/inbox/${id}`);
    await expect(log(other.page).getByText('Hello')).toBeVisible();

    // Offline, sent messages wait in order; missed ones arrive afterwards.
    await goOffline(context);
    await say(page, 'one');
    await say(page, 'two');
    await expect(log(page).getByText('Waiting for connection')).toHaveCount(2);
    await expectAccessible(page);
    await write(other, id, 'Meanwhile');
    await context.setOffline(false);
    await expect(log(page).getByText('Meanwhile')).toBeVisible();
    await expect.poll(() => bubbles(page)).toEqual(['Hello', 'Meanwhile', 'one', 'two']);
    await expect.poll(() => bubbles(other.page)).toEqual(['Hello', 'Meanwhile', 'one', 'two']);

    // The response is lost: the text comes back, and sending it again does not duplicate it.
    await breakOff(page, '**/api/messages');
    await say(page, 'three');
    await expect(log(page).getByText('Not sent')).toBeVisible({ timeout: 15_000 });
    await expect(field(page)).toHaveValue('three');
    await expectAccessible(page);
    await page.unroute('**/api/messages');
    await log(page).getByRole('button', { name: 'Retry' }).click();
    await expect(log(page).getByText('Not sent')).toHaveCount(0);
    await expect(field(page)).toHaveValue('');
    await expect.poll(() => bubbles(other.page)).toEqual(['Hello', 'Meanwhile', 'one', 'two', 'three']);
    await expect.poll(() => bubbles(page)).toEqual(['Hello', 'Meanwhile', 'one', 'two', 'three']);
  });
});
