import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { offerToBuyer } from './support/deals';
import { provoke, REFUSED } from './support/faults';
import { fund, hoursPass, idOf, type Person, post, signIn, signUp, type Visitor, wallet } from './support/people';
import { type Product, startProduct } from './support/product';
import { heading, press, says } from './support/screen';
import { test as base, expect, type Look } from './support/test';

type Limited = { member: (prefix: string, look?: Look) => Promise<Person>; boss: () => Promise<Person> };

/** A site with limits; the others have none, so that deals may have any price. */
const test = base.extend<{ limited: Limited; stranger: (look: Look) => Promise<Visitor> }, { site: Product }>({
  site: [
    async ({}, use) => {
      const site = await startProduct({ TRUST_LIMITS: LIMITS });
      await use(site);
      await site.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  stranger: ({ visit, site }, use) => use((look) => visit(look, { baseURL: site.url })),
  limited: async ({ visit, site }, use) => {
    const person = async (look: Look | undefined, enter: (page: Page) => Promise<string>): Promise<Person> => {
      const visitor = await visit(look, { baseURL: site.url });
      const name = await enter(visitor.page);
      return { ...visitor, name, id: await idOf(visitor.context.request) };
    };
    await use({
      member: (prefix, look) => person(look, ({ request }) => signUp(request, prefix)),
      boss: () => person({}, ({ request }) => signIn(request, 'admin').then(() => 'admin')),
    });
  },
});

const LIMITS = 'new=200/500/200,basic=1000/3000/1000,established=10000/30000/10000,trusted=0/0/0';

test('a limit refuses a payment, says what raises it, and rises', { tag: '@soak' }, async ({ limited }) => {
  const [buyer, seller, boss] = [
    await limited.member('nusrat', { width: 360 }),
    await limited.member('tanvir'),
    await limited.boss(),
  ];
  const { page, context } = buyer;
  await fund(boss, buyer, 400);
  const deal = await offerToBuyer(seller, buyer, { price: 300 });
  provoke(context, REFUSED);
  await page.goto(deal.path);
  await press(page, 'Accept & Pay $300.00');
  const aside = page.getByRole('complementary', { name: 'Next step and amounts' });
  await says(aside, 'Deals up to $200.00 are possible with your account now.');
  await expectAccessible(page);
  const link = aside.getByRole('link', { name: 'See your limits and how to raise them' });
  await expect(link).toBeInViewport();
  await link.click();
  const limits = page.getByRole('region', { name: 'Your limits' });
  await says(limits, 'Up to $200.00');
  await says(limits, 'Wait 1 more day.');
  await expect(limits).toBeInViewport();
  await expectAccessible(page);
  await expectFits(page);

  await hoursPass(boss, 25);
  await page.reload();
  await says(limits, 'Up to $1,000.00');
  await post(buyer, `/deals/pay/${deal.id}`);
  expect(await wallet(buyer)).toBe('100.00');
  await page.reload();
  await says(limits, '$2,700.00 left');
  await says(limits, '$300.00 of $3,000.00 used');
});

test('a visitor reads on a post and a deal link what a new account may buy', { tag: '@soak' }, async ({ limited, stranger }) => {
  const seller = await limited.member('tanvir');
  const description = 'A cooking channel';
  const dear = { ...{ title: description, description, image: '', tags: [] }, price: 250, category: 'Online Asset' };
  const { _id } = await post(seller, '/posts', { ...dear, subcategory: 'YouTube Channel' });
  const terms = { price: 250, description, deliveryDuration: 7, sellerId: seller.id, invite: {} };
  const { code } = await post<{ code: string }>(seller, '/deals/create', terms);
  const { page } = await stranger({ width: 360, height: 740 });
  for (const path of [`/posts/${_id}`, `/d/${code}`]) {
    await page.goto(path);
    await expect(heading(page, description)).toBeVisible();
    await says(page, 'New accounts buy up to $200.');
    await says(page, 'Wait a day for $1,000.');
    // The bar has price and buttons alone.
    await expect(page.locator('[data-bottom-bar]')).not.toContainText('New accounts');
    await expectAccessible(page);
    await expectFits(page);
  }
});
