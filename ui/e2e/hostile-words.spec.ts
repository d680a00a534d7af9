import type { Locator, Page } from '@playwright/test';
import { conversation, write } from './support/chat';
import { expectFits } from './support/checks';
import { offer, paid } from './support/deals';
import { toastOf } from './support/forms';
import { fund, type Person, post } from './support/people';
import { follow, says, unfold } from './support/screen';
import { expect, test } from './support/test';

const WORD = `q${Math.random().toString(36).slice(2, 9)}`;
/** Runs if any of it becomes markup. */
const MARKUP = '<img src=x onerror=pwned=1><svg onload=pwned=1>';
const SCRIPT = '"><script>pwned=1</script><a href="javascript:pwned=1">click</a><style>body{display:none}</style>';
/** Reverses the writing direction, to make a file look like another. */
const TURNED = '\u202Egpj.exe';
const LONG = 'W'.repeat(3_000);

const TITLE = `${WORD} ${MARKUP}`;
const WORDS = `${WORD} ${MARKUP} ${SCRIPT} ${TURNED} javascript:pwned=1 ${LONG}`;

/** Enters every text that one person writes and another reads. */
async function sayEverything(buyer: Person, seller: Person, admin: Person) {
  const words = { title: TITLE, description: WORDS, price: 12.5, category: 'Online Asset', image: '' };
  const tags = ['<svg onload=pwned=1>', 'javascript:pwned=1', 'W'.repeat(30)];
  const postId = (await post(seller, '/posts', { ...words, subcategory: '<svg onload=pwned=1>', tags }))._id;
  const done = (await paid(buyer, seller, { price: 10, description: `${TITLE}\n${WORDS}` })).id;
  await post(buyer, `/deals/complete/${done}`);
  await post(buyer, '/reviews', { reviewedUser: seller.id, rating: 1, comment: WORDS.slice(0, 2_000), dealId: done });
  const open = (await paid(buyer, seller, { price: 10, description: `${LONG} ${MARKUP}` })).id;
  await post(buyer, '/deals/support', { dealId: open, issueDescription: WORDS });
  await offer(buyer, seller, { price: 10, description: TITLE });
  const thread = await conversation(buyer, seller);
  await write(buyer, thread, WORDS);
  await write(seller, thread, TITLE);
  await post(buyer, '/auth/bug-report', { name: MARKUP, email: '', subject: TITLE, description: WORDS });
  await post(buyer, '/contact', { name: `${WORD} ${MARKUP}`, email: 'a@example.com', message: WORDS });
  const report = { amount: 20, transactionId: `X${Date.now().toString(36).slice(-8)}`, paymentMethod: 'Bkash' };
  const { deposit } = await post<{ deposit: { _id: string } }>(buyer, '/auth/deposit', report);
  await post(admin, `/admin/deposit/approve/${deposit._id}`, { amount: 19, userId: buyer.id, reason: TITLE });
  return { postId, done, open, thread };
}

/** The texts are shown as text: nothing ran, became an element or broke the layout. */
async function expectWords(page: Page, where: Page | Locator = page): Promise<void> {
  await says(where, new RegExp(`${WORD} <img src=x`));
  const alive = await page.evaluate(() => ({
    ran: 'pwned' in window,
    elements: document.querySelectorAll('img[onerror], svg[onload], main script, main style, a[href^="javascript:" i]').length,
  }));
  expect(alive, page.url()).toEqual({ ran: false, elements: 0 });
  await expectFits(page);
}

async function expectWordsAt(page: Page, paths: string[]): Promise<void> {
  for (const path of paths) {
    await follow(page, path);
    await expectWords(page, page.getByRole('main'));
  }
}

test('hostile words are words', async ({ visit, buyer, seller, admin }) => {
  await fund(admin, buyer, 60);
  const { postId, done, open, thread } = await sayEverything(buyer, seller, admin);

  await test.step('to visitors', async () => {
    const { page } = await visit({ width: 360 });
    await page.goto(`/posts/${postId}`);
    await expectWords(page);
    await expectWordsAt(page, [`/explore?search=${WORD}`, `/profile/${seller.name}`]);
  });

  await test.step('to the seller', async () => {
    const { page } = seller;
    await page.goto('/MyPosts');
    await expectWords(page);
    await expectWordsAt(page, ['/dashboard', `/deal/${done}`, '/deal', `/inbox/${thread}`, '/deal?tab=completed']);
    await follow(page, `/deal/${open}`);
    await says(await unfold(page, 'Agreed terms'), /^W{100}/);
    await expectFits(page);
    await follow(page, `/posts/edit/${postId}`);
    await expect(page.getByLabel('Title')).toHaveValue(TITLE);
    await expect(page.getByLabel('Your own subcategory')).toHaveValue('<svg onload=pwned=1>');
    await expectFits(page);
  });

  await test.step('to the buyer', async () => {
    const { page } = buyer;
    await page.goto('/dashboard');
    await expectWords(page);
    await expectWordsAt(page, ['/inbox', '/balance', `/inbox/${thread}`]);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await expectWords(page, page.getByRole('dialog', { name: 'Notifications' }));
  });

  await test.step('to admins', async () => {
    const { page } = admin;
    await page.goto(`/admin/deals?dealId=${done}&review=${done}`);
    await expectWords(page, page.getByRole('dialog'));
    for (const path of ['/admin/support-requests', '/admin/bug-reports', '/admin/contact-messages']) {
      await follow(page, path);
      await page.getByRole('link', { name: buyer.name }).first().click();
      await expectWords(page, page.getByRole('dialog'));
    }
    await follow(page, `/admin/chat?one=${buyer.id}&other=${seller.id}`);
    await page.getByRole('button', { name: 'Show messages' }).click();
    await expectWords(page);
    await expectWordsAt(page, ['/admin/notifications', '/admin/audit']);
  });
});

const SVG = {
  name: 'face.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="pwned=1"/>'),
};
const TEXT = { name: 'face.txt', mimeType: 'text/plain', buffer: Buffer.from('<script>pwned=1</script>') };
/** Claims to be a picture, and is a page. */
const PAGE = { name: 'face.png', mimeType: 'image/png', buffer: Buffer.from('<!doctype html><script>pwned=1</script>') };

const NO_IMAGE = 'Please select an image file!';
const UNREADABLE = 'This picture cannot be read here. Save it as JPEG or PNG and choose it again.';

test('what is no picture is refused in words', { tag: '@soak' }, async ({ seller }) => {
  const { page } = seller;
  await page.goto('/posts/create');
  const choice = page.getByLabel('Add pictures');
  await expect(choice).toBeAttached();
  expect(await toastOf(page, () => choice.setInputFiles(TEXT))).toBe(NO_IMAGE);
  for (const file of [SVG, PAGE]) {
    await choice.setInputFiles(file);
    await expect(page.getByRole('main').getByText(UNREADABLE)).toBeVisible();
    await page.getByRole('button', { name: 'Remove picture 1' }).click();
    await expect(page.getByRole('main').getByText(UNREADABLE)).toBeHidden();
  }
});
