import { expect, type Locator, type Page } from '@playwright/test';

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** For what disappears by itself: it must be gone now. */
export const NOW = { timeout: 1 };

export const toast = (page: Page, text: string) => page.locator('[data-sonner-toast]', { hasText: text }).first();

/** Waits for a visible text: screens have a table for wide windows and a list for narrow ones. */
export const says = (where: Page | Locator, text: string | RegExp) =>
  expect(where.getByText(text).filter({ visible: true }).first()).toBeVisible();

/** Titles of the cards of posts. */
export const postTitles = (page: Page) => page.getByRole('main').getByRole('listitem').getByRole('heading');

/** Waits until a page is complete. */
export const whole = (page: Page, path = new URL(page.url()).pathname) =>
  page.waitForFunction((wanted) => {
    const waiting = '[data-slot="skeleton"], [data-slot="skeleton-page"], [data-slot="spinner"]';
    const there = document.title !== '' && document.querySelector('main') !== null;
    return location.pathname === wanted && there && document.querySelector(waiting) === null;
  }, path);

/** Navigates like a link, and waits for the new page. */
export async function follow(page: Page, address: string, landing = new URL(address, page.url()).pathname): Promise<void> {
  await page.evaluate((to) => {
    // The new page sets its own title.
    document.title = '';
    history.pushState(null, '', to);
  }, address);
  await page.waitForFunction((wanted) => location.pathname === wanted && document.title !== '', landing);
}

/** The open dialog of an action. */
export const question = (page: Page): Locator =>
  page.getByRole('alertdialog').or(page.getByRole('dialog').filter({ has: page.locator('form') }));

/** Presses an action's button, which is beside the figures or, on a phone, in the bar. */
export const press = (page: Page, name: string, options?: { clickCount: number }) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).filter({ visible: true }).first().click(options);

/** Opens an action's dialog. */
export async function ask(page: Page, name: string): Promise<Locator> {
  await press(page, name);
  await expect(question(page)).toBeVisible();
  return question(page);
}

/** Confirms the open dialog. */
export async function confirm(page: Page, name: string): Promise<void> {
  await question(page).getByRole('button', { name, exact: true }).click();
}

/** Opens and confirms an action's dialog. */
export async function act(page: Page, name: string): Promise<void> {
  await ask(page, name);
  await confirm(page, name);
}

export async function openTrouble(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Report a problem' }).click();
  const dialog = page.getByRole('dialog', { name: 'What do you want to do?' });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** The figures of a dialog or aside, as name and value. */
export function facts(where: Locator): Promise<string[]> {
  return where
    .locator('dl > div')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim()).join(': ')));
}

/** Opens a closed part of the page, unless it is open. */
export async function unfold(page: Page, title: string | RegExp): Promise<Locator> {
  const name = page.getByRole('heading', { name: title });
  const fold = page.getByRole('group').filter({ has: name });
  if ((await fold.getAttribute('open')) === null) await name.click();
  return fold;
}

/** Past events of the deal: the text, then the columns of buyer, Amanat and seller. */
export async function book(page: Page): Promise<string[]> {
  const lines = (await unfold(page, /^History/)).locator('[data-slot="ledger-line"]:not([data-future])');
  return lines.evaluateAll((rows) =>
    rows.map((row) =>
      [row.querySelector('b'), ...[...row.querySelectorAll('[role="cell"]')].slice(-3)]
        .map((cell) => cell?.textContent.trim())
        .map((text) => (text === '' ? '-' : text))
        .join(' '),
    ),
  );
}

/** The diagram's accessible name says where the money is. */
export const hold = (page: Page, words: string) => expect(page.getByRole('group', { name: words, exact: true })).toBeVisible();

/** Does what the page shows before it is stored, and waits for the call's response. */
export const stored = (page: Page, path: RegExp, act: () => Promise<unknown>) =>
  Promise.all([
    page.waitForResponse((response) => response.request().method() !== 'GET' && path.test(new URL(response.url()).pathname)),
    act(),
  ]);

type NewDeal = { other: string; role: 'Buyer' | 'Seller'; price: string; days?: string; check?: string };

/** Fills the dialog in and submits it. */
export async function createDeal(page: Page, { other, role, price, days = '7', check = '3' }: NewDeal): Promise<void> {
  await page.goto('/deal');
  await page.getByRole('button', { name: 'Create Deal' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create Deal' });
  await dialog.getByRole('button', { name: /^Find by username/ }).click();
  await dialog.getByRole('combobox', { name: 'Who is the deal with?' }).fill(other);
  await dialog.getByRole('option', { name: new RegExp(other) }).click();
  await dialog.getByRole('radio', { name: new RegExp(`^${role}`) }).click();
  await dialog.getByLabel('Price').fill(price);
  await dialog.getByLabel('Description').fill('A cooking channel\nWith all 318 videos.');
  const delivery = dialog.getByRole('group', { name: 'Deliver within' });
  await delivery.getByText('Other').click();
  await delivery.getByRole('textbox').fill(days);
  await dialog.getByRole('group', { name: 'Inspection period' }).getByText(`${check} days`).click();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
}

/** Opens the deal with this title from the list. */
export async function openDeal(page: Page, title = 'A cooking channel'): Promise<string> {
  await page.goto('/deal');
  await page
    .getByRole('link', { name: new RegExp(title) })
    .first()
    .click();
  await expect(heading(page, title)).toBeVisible();
  return new URL(page.url()).pathname;
}

/** Clicks a star. The radio buttons are for keys and screen readers. */
export async function chooseStars(review: Locator, count: number): Promise<void> {
  await review
    .locator('label:has(input[type="radio"])')
    .nth(count - 1)
    .click();
  await expect(review.getByRole('radio', { name: new RegExp(`^${count} stars?`) })).toBeChecked();
}
