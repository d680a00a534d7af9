import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { post } from './support/people';
import { pay, phoneWorks } from './support/phone';
import { heading, says } from './support/screen';
import { expect, test } from './support/test';
import { button, counting, link, said, signUp, type Walk, WORDS, type Words } from './support/walk';

type Way = (walk: Walk, page: Page, words: Words, about: { name: string; seller: string; title: string }) => Promise<void>;

/** Ways from the post to the dialog of its deal, with the most interactions until it is paid. */
const WAYS: Record<'chat' | 'post', { most: number; go: Way }> = {
  chat: {
    most: 14,
    go: async (walk, page, words, { name, seller, title }) => {
      await walk.tap('Contact Me', link(page, words.posts['post.contact']));
      await says(page, said(words.next.chat, { seller, title }));
      await expectFits(page);
      await signUp(walk, page, words, name);
      await expect(link(page, words.chat.aboutPost)).toContainText(title);
      await expectAccessible(page);
      await walk.tap('Make a deal', button(page, words.deals.make));
    },
  },
  post: {
    most: 13,
    go: async (walk, page, words, { name, seller, title }) => {
      await walk.tap('Make a deal', link(page, words.posts['post.deal']));
      await says(page, said(words.next.deal, { seller, title }));
      await signUp(walk, page, words, name);
    },
  },
};

for (const [way, language, tag] of [
  ['chat', 'en', []],
  ['post', 'bn', []],
  ['post', 'en', ['@soak']],
  ['chat', 'bn', ['@soak']],
] as const)
  test(`a stranger with a phone comes to the first paid deal by the ${way} in ${language}`, { tag: [...tag] }, async ({
    visit,
    seller,
  }) => {
    const words = WORDS[language];
    const { most, go } = WAYS[way];
    const word = `w${Date.now().toString(36)}`;
    const title = `Cooking channel ${word}`;
    await post(seller, '/posts', {
      ...{ title, description: 'As it stands.', price: 25, category: 'Online Asset', subcategory: 'YouTube Channel' },
      ...{ image: '', tags: [] },
    });
    await phoneWorks(seller);
    const { page: first, context } = await visit({ width: 360, height: 740, language });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const walk = counting();
    const name = `nusrat${word}`;

    await first.goto('/');
    await walk.tap('Marketplace', link(first, words.posts.title));
    await walk.type('what is looked for', first.getByRole('searchbox', { name: words.posts.search }), word);
    const opening = context.waitForEvent('page');
    await walk.tap('the post', first.getByRole('link', { name: new RegExp(word) }));
    const page = await opening;
    await go(walk, page, words, { name, seller: seller.name, title });
    const dialog = page.getByRole('dialog', { name: words.deals.make });
    await expectAccessible(page);
    await walk.tap('Send', dialog.getByRole('button', { name: words.deals['create.send'], exact: true }));
    await expect(heading(page, title)).toBeVisible();
    const deal = new URL(page.url()).pathname.split('/').pop() ?? '';
    await seller.context.request.put(`/api/deals/accept/${deal}`);

    await walk.tap('Add $25.00', link(page, said(words.deals['act.deposit'], { sum: words.sum })));
    const form = page.getByRole('dialog', { name: words.wallet['deposit.title.Bkash'] });
    await walk.complete('amount', form.getByLabel(words.wallet['deposit.amount']), '25');
    const copied = async (what: string) => {
      await walk.tap(`Copy ${what}`, form.getByRole('button', { name: what }));
      return page.evaluate(() => navigator.clipboard.readText());
    };
    await copied(words.wallet.copyNumber);
    const taka = Number(await copied(words.wallet.copyTaka));
    await pay({ context }, taka, { reference: await copied(words.wallet.copyReference) });
    // The SMS has paid the deal, and the form has closed.
    await says(page, said(words.deals['say.held'], { sum: words.sum }));
    await expect(heading(page, title)).toBeVisible();

    console.log(walk.table());
    test.info().annotations.push({ type: 'interactions', description: walk.table() });
    expect(walk.count(), walk.table()).toBeLessThanOrEqual(most);
  });
