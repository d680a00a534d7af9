import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auth } from '@/i18n/bn/auth';
import { deals } from '@/i18n/bn/deals';
import { findUser } from '@/i18n/bn/find-user';
import { review } from '@/i18n/bn/review';
import { shell } from '@/i18n/bn/shell';
import { DEMO_PASSWORD, expectAccessible, launch } from './support/browser';
import { announced, enter, expectAtMain, expectPlace, fill, tabTo } from './support/keyboard';
import { admin, fund, newcomer, type Person, wallet } from './support/people';
import { heading, toast } from './support/screen';

let browser: Browser;
let boss: Person;
beforeAll(async () => {
  browser = await launch();
  boss = await admin(browser);
});
afterAll(() => browser.close());

const TITLE = 'রান্নার চ্যানেল';
const SUM = '$১২০.০০';

/** A text of a catalogue with its parameters. */
const said = (text: string, params: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);

/** Logs in with the keys. */
async function logIn({ page, context, name }: Person): Promise<void> {
  await context.clearCookies();
  await page.goto('/login');
  await heading(page, auth['login.title']).waitFor();
  await fill(page, page.getByLabel(auth.username), name);
  await fill(page, page.getByLabel(auth.password, { exact: true }), DEMO_PASSWORD);
  await page.keyboard.press('Enter');
  await heading(page, name).waitFor();
  await expectAtMain(page);
}

/** Creates the deal with the keys, from the skip link to the toast. */
async function create({ page }: Person, seller: Person): Promise<void> {
  await page.goto('/deal');
  await heading(page, deals.page).waitFor();
  await page.keyboard.press('Tab');
  await enter(page, page.getByRole('link', { name: shell.skip }));
  await expectAtMain(page);
  const button = page.getByRole('main').getByRole('button', { name: deals.create });
  await enter(page, button);
  const dialog = page.getByRole('dialog', { name: deals.create });
  await dialog.waitFor();
  await expectPlace(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  await fill(page, dialog.getByRole('combobox', { name: deals['user.label'] }), seller.name);
  await dialog.getByRole('option', { name: new RegExp(seller.name) }).waitFor();
  await announced(page, said(findUser.found.one, { count: '১' }));
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('radio', { name: new RegExp(`^${deals['role.buyer']}`) }));
  await page.keyboard.press('Space');
  await fill(page, dialog.getByLabel(deals['price.label']), '120');
  await fill(page, dialog.getByLabel(deals['description.label']), TITLE);
  await tabTo(page, dialog.getByLabel(deals['days.label']));
  for (let day = 1; day <= 7; day += 1) await page.keyboard.press('ArrowDown');
  await enter(page, dialog.getByRole('button', { name: deals['create.submit'] }));
  await toast(page, deals['create.done']).waitFor();
  await announced(page, deals['create.done']);
  await dialog.waitFor({ state: 'detached' });
  await expectPlace(page);
}

/** Opens the question of an action and leaves it with Escape, which gives the focus back; then opens it again and says yes. */
async function decide({ page }: Person, label: string): Promise<void> {
  const button = page.getByRole('main').getByRole('button', { name: label, exact: true });
  await enter(page, button);
  const question = page.getByRole('alertdialog');
  await question.waitFor();
  await expectPlace(page);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => button.evaluateAll((all) => all.includes(document.activeElement as HTMLElement))).toBe(true);
  await page.keyboard.press('Enter');
  await question.waitFor();
  await enter(page, question.getByRole('button', { name: label, exact: true }));
}

describe('with the keyboard alone', () => {
  it('a deal goes from the log-in to the review, in Bangla in the dark and in English by day', async () => {
    const buyer = await newcomer(browser, 'nusrat', { language: 'bn', theme: 'dark', width: 768 });
    const seller = await newcomer(browser, 'tanvir');
    await fund(boss, buyer, 150);
    await logIn(buyer);
    await create(buyer, seller);

    await enter(buyer.page, buyer.page.getByRole('main').getByRole('link', { name: new RegExp(TITLE) }));
    await heading(buyer.page, TITLE).waitFor();
    await expectAtMain(buyer.page);
    await decide(buyer, said(deals['act.activate'], { sum: SUM }));
    await toast(buyer.page, deals['toast.activated']).waitFor();
    await announced(buyer.page, said(deals['say.held'], { sum: SUM }));
    await expectPlace(buyer.page);
    await expectAccessible(buyer.page);

    await seller.page.goto('/deal');
    await enter(seller.page, seller.page.getByRole('main').getByRole('link', { name: new RegExp(TITLE) }));
    await heading(seller.page, TITLE).waitFor();
    await expectAtMain(seller.page);
    await decide(seller, 'Mark as delivered');
    await toast(seller.page, 'Seller has delivered the deal').waitFor();
    await announced(seller.page, new RegExp(`You delivered on .* ${buyer.name} checks it`));
    await expectPlace(seller.page);

    await announced(buyer.page, new RegExp(`${seller.name} ডেলিভারি দিয়েছেন`));
    await decide(buyer, said(deals['act.release'], { sum: SUM }));
    const stars = buyer.page.getByRole('dialog', { name: said(review.title, { name: seller.name }) });
    await stars.waitFor();
    await announced(buyer.page, deals['toast.completed']);
    await tabTo(buyer.page, stars.getByRole('radio').first());
    for (let step = 1; step <= 4; step += 1) await buyer.page.keyboard.press('ArrowRight');
    expect(await stars.getByRole('radio').last().isChecked()).toBe(true);
    await fill(buyer.page, stars.getByLabel(review.comment), 'সব ঠিকঠাক।');
    await enter(buyer.page, stars.getByRole('button', { name: review.send }));
    await toast(buyer.page, review.done).waitFor();
    await stars.waitFor({ state: 'detached' });
    await expectPlace(buyer.page);
    await expectAccessible(buyer.page);
    expect([await wallet(buyer), await wallet(seller)]).toEqual(['30.00', '117.60']);
  });

  it('menus and dialogs open, close with Escape, and give the focus back', async () => {
    const user = await newcomer(browser, 'moni');
    const { page } = user;
    await page.goto('/balance');
    await heading(page, 'Balance').waitFor();
    for (const [name, role] of [
      ['Notifications', 'dialog'],
      ['Messages', 'menu'],
      ['Profile menu', 'menu'],
    ] as const) {
      const button = page.getByRole('banner').getByRole('button', { name, exact: true });
      await enter(page, button);
      const opened = page.getByRole(role);
      await opened.waitFor();
      await expectPlace(page);
      await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'detached' });
      await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    await page.goto('/deposit');
    const tile = page.getByRole('button', { name: /^Bkash/ });
    await enter(page, tile);
    const dialog = page.getByRole('dialog', { name: 'Deposit with Bkash' });
    await expect.poll(() => dialog.getByLabel('Amount to add').evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await announced(page, 'Please fill out all fields.');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => tile.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('a toast is heard in a dialog that was there before the toaster', async () => {
    const { page } = await newcomer(browser, 'tuli');
    let release = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/assets\/toaster-.*\.js$/, async (route) => {
      await opened;
      await route.continue();
    });
    await page.goto('/deposit');
    await page.getByRole('button', { name: /^Bkash/ }).click();
    await page.getByRole('dialog', { name: 'Deposit with Bkash' }).getByLabel('Amount to add').press('Enter');
    release();
    await announced(page, 'Please fill out all fields.');
  });
});

describe('who wants no motion', () => {
  it('sees none; the pop-up and the sheet come all the same', async () => {
    const { page, context } = await admin(browser, { width: 360 });
    /** Names of what moves, or would for more than a frame. */
    const moving = () =>
      page.evaluate(() => {
        const FRAME = 16;
        // A spinner that comes after a moment does not move during that moment.
        const long = ({ effect }: Animation) => Number(effect?.getComputedTiming().activeDuration ?? 0) > FRAME;
        return document
          .getAnimations()
          .filter(long)
          .map((animation) => (animation as CSSAnimation).animationName);
      });
    // A page that waits for its answer has a spinner or a skeleton.
    await page.route('**/api/admin/users*', () => undefined);
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await page.emulateMedia({ reducedMotion });
      await page.goto('/admin/users');
      await page.getByRole('button', { name: 'Profile menu' }).waitFor();
      const wanted = reducedMotion === 'no-preference';
      if (wanted) await expect.poll(async () => (await moving()).length).toBeGreaterThan(0);
      else expect(await moving()).toEqual([]);
      await page.keyboard.press('Control+b');
      await page.getByRole('dialog', { name: 'Admin' }).waitFor();
      if (!wanted) expect(await moving()).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await context.close();
  });
});
