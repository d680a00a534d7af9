import type { Locator, Page } from '@playwright/test';
import { auth } from '@/i18n/bn/auth';
import { review } from '@/i18n/bn/deal-page';
import { deals } from '@/i18n/bn/deals';
import { shell } from '@/i18n/bn/shell';
import { findUser } from '@/i18n/bn/user';
import { expectAccessible } from './support/checks';
import { announced, enter, expectAtMain, expectPlace, fill, tabTo } from './support/keyboard';
import { holdAnswer } from './support/network';
import { DEMO_PASSWORD, fund, type Person, wallet } from './support/people';
import { heading, question as questionOn, toast } from './support/screen';
import { expect, test } from './support/test';

const TITLE = 'রান্নার চ্যানেল';
const SUM = '$১২০.০০';

/** A text with its parameters. */
const said = (text: string, params: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);

async function logIn({ page, context, name }: Person): Promise<void> {
  await context.clearCookies();
  await page.goto('/login');
  await expect(heading(page, auth['login.title'])).toBeVisible();
  await fill(page, page.getByLabel(auth.username), name);
  await fill(page, page.getByLabel(auth.password, { exact: true }), DEMO_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(heading(page, name)).toBeVisible();
  await expectAtMain(page);
}

/** Creates the deal with the keys, from the skip link to the toast. */
async function create({ page }: Person, seller: Person): Promise<void> {
  await page.goto('/deal');
  await expect(heading(page, deals.page)).toBeVisible();
  await page.keyboard.press('Tab');
  await enter(page, page.getByRole('link', { name: shell.skip }));
  await expectAtMain(page);
  const button = page.getByRole('main').getByRole('button', { name: deals.create });
  await enter(page, button);
  const dialog = page.getByRole('dialog', { name: deals.create });
  await expect(dialog).toBeVisible();
  await expectPlace(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  await enter(page, dialog.getByRole('button', { name: new RegExp(`^${deals['way.name']}`) }));
  await fill(page, dialog.getByRole('combobox', { name: deals['user.label'] }), seller.name);
  await expect(dialog.getByRole('option', { name: new RegExp(seller.name) })).toBeVisible();
  await announced(page, said(findUser.found.one, { count: '১' }));
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('radio', { name: new RegExp(`^${deals['role.buyer']}`) }));
  await page.keyboard.press('Space');
  await fill(page, dialog.getByLabel(deals['price.label']), '120');
  await fill(page, dialog.getByLabel(deals['description.label']), TITLE);
  await tabTo(
    page,
    dialog.getByRole('group', { name: new RegExp(`^${deals['days.label']}`) }).getByRole('radio', { checked: true }),
  );
  await page.keyboard.press('ArrowRight');
  await enter(page, dialog.getByRole('button', { name: deals['create.send'], exact: true }));
  await expect(toast(page, deals['create.done'])).toBeVisible();
  await announced(page, deals['create.done']);
  await expect(dialog).toHaveCount(0);
  await expectPlace(page);
}

/**
 * Opens the dialog of an action, leaves it with Escape, which returns the focus, then opens it
 * again and confirms.
 */
async function decide({ page }: Person, label: string): Promise<void> {
  const button = page.getByRole('main').getByRole('button', { name: label, exact: true });
  await enter(page, button);
  const question = questionOn(page);
  await expect(question).toBeVisible();
  await expectPlace(page);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect.poll(() => button.evaluateAll((all) => all.includes(document.activeElement as HTMLElement))).toBe(true);
  await page.keyboard.press('Enter');
  await expect(question).toBeVisible();
  await enter(page, question.getByRole('button', { name: label, exact: true }));
}

test.describe('with the keyboard alone', () => {
  test.use({ buyerLook: { language: 'bn', theme: 'dark', width: 768 }, sellerLook: { width: 1280 } });

  test('a deal goes from the log-in to the review, in Bangla in the dark and in English by day', async ({
    buyer,
    seller,
    admin,
  }) => {
    await fund(admin, buyer, 150);
    await logIn(buyer);
    await create(buyer, seller);

    await expect(heading(buyer.page, TITLE)).toBeVisible();
    await expectAtMain(buyer.page);
    await enter(
      buyer.page,
      buyer.page.getByRole('main').getByRole('button', { name: said(deals['act.activate'], { sum: SUM }) }),
    );
    await expect(toast(buyer.page, deals['toast.activated'])).toBeVisible();
    await announced(buyer.page, said(deals['say.held'], { sum: SUM }));
    await expectPlace(buyer.page);
    await expectAccessible(buyer.page);

    await seller.page.goto('/deal');
    await enter(seller.page, seller.page.getByRole('main').getByRole('link', { name: new RegExp(TITLE) }));
    await expect(heading(seller.page, TITLE)).toBeVisible();
    await expectAtMain(seller.page);
    await decide(seller, 'Mark as delivered');
    await expect(toast(seller.page, 'Seller has delivered the deal')).toBeVisible();
    await announced(seller.page, new RegExp(`You delivered on .* ${buyer.name} checks it`));
    await expectPlace(seller.page);

    await announced(buyer.page, new RegExp(`${seller.name} ডেলিভারি দিয়েছেন`));
    await decide(buyer, said(deals['act.release'], { sum: SUM }));
    const stars = buyer.page.getByRole('dialog', { name: said(review.title, { name: seller.name }) });
    await expect(stars).toBeVisible();
    await announced(buyer.page, deals['toast.completed']);
    await tabTo(buyer.page, stars.getByRole('radio').first());
    for (let step = 1; step <= 4; step += 1) await buyer.page.keyboard.press('ArrowRight');
    await expect(stars.getByRole('radio').last()).toBeChecked();
    await fill(buyer.page, stars.getByLabel(review.comment), 'সব ঠিকঠাক।');
    await enter(buyer.page, stars.getByRole('button', { name: review.send }));
    await expect(toast(buyer.page, review.done)).toBeVisible();
    await expect(stars).toHaveCount(0);
    await expectPlace(buyer.page);
    await expectAccessible(buyer.page);
    expect([await wallet(buyer), await wallet(seller)]).toEqual(['30.00', '117.60']);
  });

  test('menus and dialogs open, close with Escape, and give the focus back', async ({ newcomer }) => {
    const { page } = await newcomer('moni');
    const toaster = await holdAnswer(page, '**/assets/toaster-*.js');
    await page.goto('/balance');
    await expect(heading(page, 'Your balance')).toBeVisible();
    const hasFocus = (target: Locator) => expect.poll(() => target.evaluate((it) => it === document.activeElement)).toBe(true);

    await test.step('The menus of the header', async () => {
      for (const [name, role] of [
        ['Notifications', 'dialog'],
        ['Messages', 'menu'],
        ['Profile menu', 'menu'],
      ] as const) {
        const button = page.getByRole('banner').getByRole('button', { name, exact: true });
        await enter(page, button);
        const opened = page.getByRole(role);
        await expect(opened).toBeVisible();
        await expectPlace(page);
        await page.keyboard.press('Escape');
        await expect(opened).toHaveCount(0);
        await hasFocus(button);
      }
    });

    await test.step('A dialog, in which a toast is heard though the toaster comes later', async () => {
      const opener = page.getByRole('main').getByRole('link', { name: 'Add money' }).first();
      await enter(page, opener);
      await enter(page, page.getByRole('button', { name: /^bKash/ }));
      const dialog = page.getByRole('dialog', { name: 'Add money with bKash' });
      await hasFocus(dialog.getByLabel('Amount to add'));
      await page.keyboard.press('Enter');
      toaster.letThrough();
      await announced(page, 'Please fill out all fields.');
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await hasFocus(opener);
    });
  });
});

/** Opens a page whose response never comes, so that it shows a spinner or skeleton. */
async function openWaiting(page: Page): Promise<void> {
  await page.route('**/api/admin/users*', () => undefined);
  await page.goto('/admin/users');
  await expect(page.getByRole('button', { name: 'Profile menu' })).toBeVisible();
}

/** Names of animations longer than a frame. */
const moving = (page: Page) =>
  page.evaluate(() => {
    const FRAME = 16;
    // A spinner's delay does not count.
    const long = ({ effect }: Animation) => Number(effect?.getComputedTiming().activeDuration ?? 0) > FRAME;
    return document
      .getAnimations()
      .filter(long)
      .map((animation) => (animation as CSSAnimation).animationName);
  });

test('what moves stands still for whoever wants that, and the sheet comes all the same', { tag: '@soak' }, async ({
  signedIn,
}) => {
  const { page } = await signedIn('admin', { width: 360 });
  const sheet = page.getByRole('dialog', { name: 'Admin' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openWaiting(page);
  expect(await moving(page)).toEqual([]);
  await page.keyboard.press('Control+b');
  await expect(sheet).toBeVisible();
  expect(await moving(page)).toEqual([]);

  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await openWaiting(page);
  await expect.poll(() => moving(page)).not.toEqual([]);
  await page.keyboard.press('Control+b');
  await expect(sheet).toBeVisible();
});
