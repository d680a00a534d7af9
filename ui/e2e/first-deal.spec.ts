import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { counting } from './support/count';
import { DEMO_PASSWORD, post } from './support/people';
import { heading, says, toast } from './support/screen';
import { expect, test } from './support/test';

type Walk = ReturnType<typeof counting>;

/** A visible button. */
const button = (page: Page, of: string | RegExp) => page.getByRole('button', { name: of }).filter({ visible: true }).first();

async function signUp(walk: Walk, page: Page, name: string) {
  await walk.type('username', page.getByLabel('Username'), name);
  await walk.type('email', page.getByLabel('Email'), `${name}@example.com`);
  await walk.type('password', page.getByLabel('Password', { exact: true }), DEMO_PASSWORD);
  await walk.tap('Sign up', button(page, 'Sign up'));
}

/** Ways from the post to the dialog of its deal. */
const WAYS = {
  'by the chat': async (walk: Walk, page: Page, { name, seller, title }: { name: string; seller: string; title: string }) => {
    await walk.tap('Contact Me', page.getByRole('link', { name: 'Contact Me' }).filter({ visible: true }));
    await says(page, `Next: your chat with ${seller} about “${title}”.`);
    await expectFits(page);
    await signUp(walk, page, name);
    await says(page, `Hi ${seller}! I am interested in “${title}”.`);
    await expect(page.locator('[data-slot="post-strip"]')).toContainText(title);
    await expectAccessible(page);
    await walk.tap('Make a deal', button(page, 'Make a deal'));
  },
  'by the post': async (walk: Walk, page: Page, { name, seller, title }: { name: string; seller: string; title: string }) => {
    await walk.tap('Make a deal', page.getByRole('link', { name: 'Make a deal' }).filter({ visible: true }));
    await says(page, `Next: your deal with ${seller} about “${title}”.`);
    await signUp(walk, page, name);
  },
};

/** The most interactions from the landing page to the first paid deal. */
const MOST = { 'by the chat': 19, 'by the post': 18 };

for (const [way, tag] of [
  ['by the chat', []],
  ['by the post', ['@soak']],
] as const)
  test(`a stranger with a phone comes to the first paid deal, ${way}`, { tag: [...tag] }, async ({ visit, seller, admin }) => {
    const word = `w${Date.now().toString(36)}`;
    const title = `Cooking channel ${word}`;
    await post(seller, '/posts', {
      ...{ title, description: 'As it stands.', price: 25, category: 'Online Asset', subcategory: 'YouTube Channel' },
      ...{ image: '', tags: [] },
    });
    const { page: first, context } = await visit({ width: 360, height: 740 });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const walk = counting();
    const name = `nusrat${word}`;

    await first.goto('/');
    await walk.tap('Marketplace', first.getByRole('link', { name: 'Marketplace' }).filter({ visible: true }).first());
    await walk.type('what is looked for', first.getByRole('searchbox', { name: 'Search posts' }), word);
    const opening = context.waitForEvent('page');
    await walk.tap('the post', first.getByRole('link', { name: new RegExp(word) }));
    const page = await opening;
    await WAYS[way](walk, page, { name, seller: seller.name, title });
    const dialog = page.getByRole('dialog', { name: 'Make a deal' });
    await expectAccessible(page);
    await walk.tap('Send', dialog.getByRole('button', { name: 'Send', exact: true }));
    await expect(heading(page, title)).toBeVisible();
    const deal = new URL(page.url()).pathname.split('/').pop() ?? '';
    await seller.context.request.put(`/api/deals/accept/${deal}`);

    await walk.tap('Add $25.00', page.getByRole('link', { name: 'Add $25.00' }).filter({ visible: true }).first());
    await walk.tap('bKash', button(page, /^bKash/));
    const form = page.getByRole('dialog', { name: 'Add money with bKash' });
    await walk.complete('amount', form.getByLabel('Amount to add'), '25');
    for (const copy of await form.getByRole('button', { name: /^Copy/ }).all()) await walk.tap('Copy', copy);
    await walk.type('TrxID', form.getByRole('textbox', { name: /^Transaction ID/ }), randomUUID().slice(0, 8).toUpperCase());
    await walk.tap('I have sent', form.getByRole('button', { name: /^I have sent/ }));
    await expect(toast(page, 'Deposit submitted successfully!')).toBeVisible();
    const user = (await (await context.request.get('/api/auth/check')).json()) as { _id: string };
    const { deposits } = (await (await context.request.get('/api/auth/deposit/history')).json()) as {
      deposits: { _id: string }[];
    };
    await post(admin, `/admin/deposit/approve/${deposits[0]?._id ?? ''}`, { amount: 25, userId: user._id });

    // The receipt knows the deal that the money is for.
    await walk.tap('Back to the deal', page.getByRole('dialog').getByRole('link', { name: 'Back to the deal' }));
    await expect(heading(page, title)).toBeVisible();
    // The bar shows it once the seller has accepted and the money has arrived.
    const bar = page.locator('[data-slot="move-bar"]');
    await walk.tap('Pay & Activate', bar.getByRole('button', { name: /^(Pay & Activate|Accept & Pay)/ }));
    const question = page.getByRole('alertdialog');
    await walk.tap('Pay $25.00', question.getByRole('button', { name: /\$25\.00/ }));
    await says(page, '$25.00 is held by Amanat.');

    console.log(walk.table());
    test.info().annotations.push({ type: 'interactions', description: walk.table() });
    expect(walk.count(), walk.table()).toBeLessThanOrEqual(MOST[way]);
  });
