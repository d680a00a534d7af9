import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectFits, launch, visit } from './support/browser';
import { conversation, write } from './support/chat';
import { market, offer, paid } from './support/deals';
import { toastOf } from './support/forms';
import { type Person, post } from './support/people';
import { says } from './support/screen';

let browser: Browser;
let people: { buyer: Person; seller: Person; boss: Person };
beforeAll(async () => {
  browser = await launch();
  people = await market(browser, 60);
  await everythingSaid();
});
afterAll(() => browser.close());

const WORD = `q${Math.random().toString(36).slice(2, 9)}`;
/** What would run, if anything of it became markup. */
const MARKUP = '<img src=x onerror=pwned=1><svg onload=pwned=1>';
const SCRIPT = '"><script>pwned=1</script><a href="javascript:pwned=1">click</a><style>body{display:none}</style>';
/** Turns the writing direction around, to make a file look like another. */
const TURNED = '\u202Egpj.exe';
const LONG = 'W'.repeat(3_000);

const TITLE = `${WORD} ${MARKUP}`;
const WORDS = `${WORD} ${MARKUP} ${SCRIPT} ${TURNED} javascript:pwned=1 ${LONG}`;

const ids = { post: '', done: '', open: '', conversation: '', support: '' };

/** Every text that one person writes and another reads. */
async function everythingSaid(): Promise<void> {
  const { buyer, seller, boss } = people;
  const offered = { title: TITLE, description: WORDS, price: 12.5, category: 'Online Asset', image: '' };
  const tags = ['<svg onload=pwned=1>', 'javascript:pwned=1', 'W'.repeat(30)];
  ids.post = (await post(seller, '/posts', { ...offered, subcategory: '<svg onload=pwned=1>', tags }))._id;
  ids.done = (await paid(buyer, seller, { price: 10, description: `${TITLE}\n${WORDS}` })).id;
  await post(buyer, `/deals/complete/${ids.done}`);
  await post(buyer, '/reviews', { reviewedUser: seller.id, rating: 1, comment: WORDS.slice(0, 2_000), dealId: ids.done });
  ids.open = (await paid(buyer, seller, { price: 10, description: `${LONG} ${MARKUP}` })).id;
  await post(buyer, '/deals/support', { dealId: ids.open, issueDescription: WORDS });
  await offer(buyer, seller, { price: 10, description: TITLE });
  ids.conversation = await conversation(buyer, seller);
  await write(buyer, ids.conversation, WORDS);
  await write(seller, ids.conversation, TITLE);
  await post(buyer, '/auth/bug-report', { name: MARKUP, email: '', subject: TITLE, description: WORDS });
  await post(buyer, '/contact', { name: `${WORD} ${MARKUP}`, email: 'a@example.com', message: WORDS });
  const report = { amount: 20, transactionId: `X${Date.now().toString(36).slice(-8)}`, paymentMethod: 'Bkash' };
  const { deposit } = await post<{ deposit: { _id: string } }>(buyer, '/auth/deposit', report);
  await post(boss, `/admin/deposit/approve/${deposit._id}`, { amount: 19, userId: buyer.id, reason: TITLE });
}

/** The words stand on the page as words: nothing of them ran, became an element or pushed the page apart. */
async function expectWords(page: Page, where: Page | Locator = page): Promise<void> {
  await says(where, new RegExp(`${WORD} <img src=x`));
  const alive = await page.evaluate(() => ({
    ran: 'pwned' in window,
    elements: document.querySelectorAll('img[onerror], svg[onload], main script, main style, a[href^="javascript:" i]').length,
  }));
  expect(alive, page.url()).toEqual({ ran: false, elements: 0 });
  await expectFits(page);
}

describe('hostile words are words', () => {
  it('to visitors', async () => {
    const { context, page } = await visit(browser, { width: 360 });
    for (const path of [`/posts/${ids.post}`, `/explore?search=${WORD}`, `/profile/${people.seller.name}`]) {
      await page.goto(path);
      await expectWords(page);
    }
    await context.close();
  });

  it('to the seller', async () => {
    const { page } = people.seller;
    for (const path of [
      '/MyPosts',
      '/dashboard',
      '/deal',
      '/deal?tab=completed',
      `/deal/${ids.done}`,
      `/inbox/${ids.conversation}`,
    ]) {
      await page.goto(path);
      await expectWords(page);
    }
    await page.goto(`/deal/${ids.open}`);
    await says(page.getByRole('main'), /^W{100}/);
    await expectFits(page);
    await page.goto(`/posts/edit/${ids.post}`);
    expect(await page.getByLabel('Title').inputValue()).toBe(TITLE);
    expect(await page.getByLabel('Your own subcategory').inputValue()).toBe('<svg onload=pwned=1>');
    await expectFits(page);
  });

  it('to the buyer', async () => {
    const { page } = people.buyer;
    for (const path of ['/dashboard', '/balance', '/inbox', `/inbox/${ids.conversation}`]) {
      await page.goto(path);
      await expectWords(page);
    }
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await expectWords(page, page.getByRole('dialog', { name: 'Notifications' }));
  });

  it('to admins', async () => {
    const { page } = people.boss;
    const { buyer, seller } = people;
    await page.goto(`/admin/deals?dealId=${ids.done}&review=${ids.done}`);
    await expectWords(page, page.getByRole('dialog'));
    for (const path of ['/admin/support-requests', '/admin/bug-reports', '/admin/contact-messages']) {
      await page.goto(path);
      await page.getByRole('link', { name: buyer.name }).first().click();
      await expectWords(page, page.getByRole('dialog'));
    }
    await page.goto(`/admin/chat?one=${buyer.id}&other=${seller.id}`);
    await page.getByRole('button', { name: 'Show messages' }).click();
    await expectWords(page);
    for (const path of ['/admin/notifications', '/admin/audit']) {
      await page.goto(path);
      await expectWords(page, page.getByRole('main'));
    }
  });
});

const SVG = {
  name: 'face.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="pwned=1"/>'),
};
const TEXT = { name: 'face.txt', mimeType: 'text/plain', buffer: Buffer.from('<script>pwned=1</script>') };
/** Says that it is a picture, and is a page. */
const PAGE = { name: 'face.png', mimeType: 'image/png', buffer: Buffer.from('<!doctype html><script>pwned=1</script>') };

const NO_IMAGE = 'Please select an image file!';
const UNREADABLE = 'This picture cannot be read here. Save it as JPEG or PNG and choose it again.';

describe('what is no picture', () => {
  it.each(['/posts/create', '/profile'])('is refused in words at %s', async (path) => {
    const { page } = people.seller;
    await page.goto(path);
    const choice = page.getByLabel('Choose a picture');
    for (const [file, words] of [
      [TEXT, NO_IMAGE],
      [SVG, UNREADABLE],
      [PAGE, UNREADABLE],
    ] as const) {
      await choice.waitFor({ state: 'attached' });
      expect(await toastOf(page, () => choice.setInputFiles(file))).toBe(words);
      await page.getByRole('main').getByText(words).waitFor();
    }
  });

  it('is refused in words in a conversation', async () => {
    const { page } = people.seller;
    await page.goto(`/inbox/${ids.conversation}`);
    await page.getByRole('log').waitFor();
    const choice = page.locator('input[type="file"]');
    expect(await toastOf(page, () => choice.setInputFiles(TEXT))).toBe(NO_IMAGE);
    const unreadable = 'This image cannot be read here. If it is a HEIC photo, send it as JPEG.';
    expect(await toastOf(page, () => choice.setInputFiles(SVG))).toBe(unreadable);
  });

  it('is refused by the server, too', async () => {
    const { context } = people.seller;
    const send = async (profilePic: string) => {
      const answer = await context.request.put('/api/auth/update-profile', { data: { profilePic } });
      return [answer.status(), ((await answer.json()) as { message: string }).message];
    };
    const as = ({ mimeType, buffer }: typeof SVG) => `data:${mimeType};base64,${buffer.toString('base64')}`;
    expect(await send(as(TEXT))).toEqual([400, NO_IMAGE]);
    for (const file of [SVG, PAGE]) {
      const [status, message] = await send(as(file));
      expect(status).toBe(400);
      expect(message).toMatch(/image/);
    }
  });
});
