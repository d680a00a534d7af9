import { expectAccessible, expectFits } from './support/checks';
import { post } from './support/people';
import { postTitles } from './support/screen';
import { expect, test } from './support/test';
import { counting } from './support/walk';

const WORDS = {
  ...{ description: 'As it stands.', price: 5, category: 'Freelance Service', subcategory: 'Writing' },
  ...{ image: '', tags: [] },
};

const PAGES = 3;
const ON_A_PAGE = 12;

test('the listing leads through its pages in one order, and Back keeps the place', async ({ page, seller, newcomer }) => {
  // A unique word.
  const word = `z${Math.random().toString(36).slice(2, 10)}`;
  // A new user may have twenty posts.
  for (const shop of [seller, await newcomer('shop')])
    for (let number = 0; number < (PAGES * ON_A_PAGE) / 2; number += 1)
      await post(shop, '/posts', { ...WORDS, title: `${word} ${shop.name} ${number}` });
  await page.goto(`/explore?search=${word}`);
  await expect(postTitles(page)).toHaveCount(ON_A_PAGE);
  await page.waitForURL(/seed=/);
  const pager = page.getByRole('navigation', { name: 'Pages of posts' });
  const next = pager.getByRole('link', { name: 'Next' });
  const all = [await postTitles(page).allTextContents()];
  while (all.length < PAGES) {
    await next.click();
    await expect(postTitles(page)).not.toHaveText(all.at(-1) ?? []);
    all.push(await postTitles(page).allTextContents());
  }
  const [first = [], second = []] = all;
  expect(new Set(all.flat()).size).toBe(PAGES * ON_A_PAGE);
  await expectAccessible(page);

  await test.step('Back leads to the page before, also from another one', async () => {
    await page.goBack();
    await expect(postTitles(page)).toHaveText(second);
    await page.goto('/terms');
    await page.goBack();
    await expect(postTitles(page)).toHaveText(second);
    await pager.getByRole('link', { name: 'Page 1', exact: true }).click();
    await expect(postTitles(page)).toHaveText(first);
  });

  await test.step('What is new since then does not push the others about', async () => {
    await post(seller, '/posts', { ...WORDS, title: `${word} new` });
    await page.reload();
    await expect(postTitles(page)).toHaveText(first);
    await next.click();
    await expect(postTitles(page)).toHaveText(second);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  });
});

const SORTED = {
  en: {
    ...{ filters: 'Filters', channel: 'YouTube Channel', monetised: 'Monetised', yes: 'Yes', most: 'Price up to' },
    ...{ cheapest: 'Cheapest first', show: 'Show posts', active: 'Filters in use' },
  },
  bn: {
    ...{ filters: 'ফিল্টার', channel: 'ইউটিউব চ্যানেল', monetised: 'মনিটাইজড', yes: 'হ্যাঁ', most: 'দাম সর্বোচ্চ' },
    ...{ cheapest: 'কম দাম আগে', show: 'পোস্ট দেখান', active: 'চালু ফিল্টার' },
  },
};

for (const language of ['en', 'bn'] as const)
  test(`a channel under $500, monetised, cheapest first, is six taps away (${language})`, async ({ visit, seller }) => {
    const word = `y${Math.random().toString(36).slice(2, 10)}`;
    const channel = { ...WORDS, category: 'Online Asset', subcategory: 'YouTube Channel' };
    for (const [name, price, monetised] of [
      ['dear', 501, true],
      ['middle', 450, true],
      ['idle', 20, false],
      ['cheap', 90, true],
    ] as const)
      await post(seller, '/posts', { ...channel, price, title: `${word} ${name}`, facts: { monetised, subscribers: 1000 } });
    const { page } = await visit({ width: 360, height: 740, language });
    const texts = SORTED[language];
    await page.goto(`/explore?search=${word}`);
    await expect(postTitles(page)).toHaveCount(4);
    const walk = counting();
    await walk.tap('Filters', page.getByRole('button', { name: texts.filters }));
    const sheet = page.getByRole('dialog', { name: texts.filters });
    await walk.tap('YouTube Channel', sheet.getByRole('button', { name: texts.channel }));
    await walk.tap('Monetised', sheet.getByRole('group', { name: texts.monetised }).getByRole('button', { name: texts.yes }));
    await walk.type('Price up to', sheet.getByLabel(texts.most), '500');
    await walk.tap('Cheapest first', sheet.getByRole('button', { name: texts.cheapest }));
    await expectAccessible(page);
    await walk.tap('Show posts', sheet.getByRole('button', { name: texts.show }));
    await expect(postTitles(page)).toHaveText([`${word} cheap`, `${word} middle`]);
    expect(walk.count(), walk.table()).toBeLessThanOrEqual(6);
    await expectFits(page);
    await expectAccessible(page);
    await expect(page.getByRole('list', { name: texts.active }).getByRole('link')).toHaveCount(4);
  });
