import type { Locator, Page } from '@playwright/test';
import { conversation, photo } from './support/chat';
import { expectAccessible } from './support/checks';
import { post } from './support/people';
import { says } from './support/screen';
import { expect, test } from './support/test';
import { fingersOn } from './support/touch';

test.use({ look: { width: 360, height: 740 } });

const MIDDLE = { x: 180, y: 370 };
const viewer = (page: Page) => page.getByRole('dialog');
const widthOf = async (picture: Locator) => Math.round((await picture.boundingBox())?.width ?? 0);

const asUrl = async (page: Page) => `data:image/png;base64,${(await photo(page)).toString('base64')}`;

test('a post’s picture fills a phone: fingers enlarge, move and close it, Back and Escape close it', async ({ visit }) => {
  const { page } = await visit({}, { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
  await page.goto('/explore?search=ThinkPad');
  await page.goto((await page.getByRole('link', { name: /ThinkPad/ }).getAttribute('href')) ?? '');
  const enlarge = page.getByRole('button', { name: 'Enlarge the picture' });
  await enlarge.press('Enter');
  const picture = viewer(page).getByRole('img');
  await expect.poll(() => widthOf(picture)).toBe(360);
  await expectAccessible(page);
  const fingers = await fingersOn(page);

  await test.step('two fingers enlarge what is between them, and one moves it no further than its edge', async () => {
    const [left, right] = [100, 140];
    await fingers.drag(
      [
        { x: left, y: 370 },
        { x: 60, y: 370 },
      ],
      [
        { x: right, y: 370 },
        { x: 180, y: 370 },
      ],
    );
    await expect.poll(() => widthOf(picture)).toBe(1_080);
    // 120 px from the left were under the centre of the fingers, and still are, three times as far
    // from the edge.
    await expect.poll(async () => Math.round((await picture.boundingBox())?.x ?? 0)).toBe(120 - 3 * 120);
    await fingers.swipe(MIDDLE, { x: 170, y: 0 });
    await fingers.swipe(MIDDLE, { x: 170, y: 0 });
    await expect.poll(async () => Math.round((await picture.boundingBox())?.x ?? 1)).toBe(0);
    await expect(viewer(page)).toBeVisible();
  });

  await test.step('two taps show the whole again, or enlarge it', async () => {
    for (const width of [360, 900, 360]) {
      await fingers.tap(MIDDLE);
      await fingers.tap(MIDDLE);
      await expect.poll(() => widthOf(picture)).toBe(width);
    }
  });

  await test.step('it is closed by a swipe down, by Back and by Escape, and gives the focus back', async () => {
    const address = page.url();
    const close = [
      () => fingers.swipe({ x: 180, y: 300 }, { x: 0, y: 150 }),
      () => page.goBack(),
      () => page.keyboard.press('Escape'),
    ];
    await page.keyboard.press('Escape');
    for (const way of close) {
      await enlarge.press('Enter');
      await expect(picture).toBeVisible();
      await expect.poll(() => page.evaluate(() => (history.state as { overlays?: number }).overlays ?? 0)).toBe(1);
      await way();
      await expect(viewer(page)).toHaveCount(0);
      await expect(enlarge).toBeFocused();
      await expect.poll(() => page.evaluate(() => (history.state as { overlays?: number }).overlays ?? 0)).toBe(0);
      expect(page.url()).toBe(address);
    }
  });
});

test('from a picture in a chat a swipe leads to the next one, in Bangla and dark', { tag: '@soak' }, async ({ newcomer }) => {
  const tanvir = await newcomer('tanvir', { language: 'bn', theme: 'dark' });
  const nusrat = await newcomer('nusrat');
  const conversationId = await conversation(nusrat, tanvir);
  for (const text of ['এক', 'দুই', 'তিন'])
    await post(nusrat, '/messages', { conversationId, text, image: await asUrl(nusrat.page) });
  const { page } = tanvir;
  await page.goto(`/inbox/${conversationId}`);
  const pictures = page.getByRole('log').getByRole('button', { name: /পাঠানো ছবি/ });
  await expect(pictures).toHaveCount(3);
  await pictures.nth(1).click();
  await says(viewer(page), '৩টির মধ্যে ২');
  await expectAccessible(page);
  const source = () => viewer(page).getByRole('img').getAttribute('src');
  const second = await source();
  const fingers = await fingersOn(page);
  await fingers.swipe({ x: 300, y: 370 }, { x: -200, y: 10 });
  await says(viewer(page), '৩টির মধ্যে ৩');
  expect(await source()).not.toBe(second);
  // After the last there is none.
  await fingers.swipe({ x: 300, y: 370 }, { x: -200, y: 10 });
  await says(viewer(page), '৩টির মধ্যে ৩');
  await page.keyboard.press('ArrowLeft');
  await says(viewer(page), '৩টির মধ্যে ২');
  await viewer(page).getByRole('button', { name: 'আগের ছবি' }).click();
  await says(viewer(page), '৩টির মধ্যে ১');
  await page.goBack();
  await expect(viewer(page)).toHaveCount(0);
  await expect(pictures.nth(1)).toBeFocused();
});
