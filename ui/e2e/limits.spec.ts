import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { offerToBuyer } from './support/deals';
import { provoke, REFUSED } from './support/faults';
import { fund, hoursPass, idOf, type Person, post, signIn, signUp, verifyAddress, wallet } from './support/people';
import { type Product, startProduct } from './support/product';
import { says } from './support/screen';
import { test as base, expect, type Look } from './support/test';

type Limited = { member: (prefix: string, look?: Look) => Promise<Person>; boss: () => Promise<Person> };

/** A site with limits; the others have none, so that deals may have any price. */
const test = base.extend<{ limited: Limited }, { site: Product }>({
  site: [
    async ({}, use) => {
      const site = await startProduct({ TRUST_LIMITS: LIMITS });
      await use(site);
      await site.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
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
  await page
    .getByRole('main')
    .getByRole('button', { name: /Accept & Pay/ })
    .first()
    .click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: /Accept & Pay/ }).click();
  await says(question, 'Deals up to $200.00 are possible with your account now.');
  await expectAccessible(page);
  await question.getByRole('link', { name: 'See your limits and how to raise them' }).click();
  const limits = page.getByRole('region', { name: 'Your limits' });
  await says(limits, 'Up to $200.00');
  await says(limits, 'Verify your email.');
  await says(limits, 'Wait 1 more day.');
  await expect(limits).toBeInViewport();
  await expectAccessible(page);
  await expectFits(page);

  await verifyAddress(buyer);
  await hoursPass(boss, 25);
  await page.reload();
  await says(limits, 'Up to $1,000.00');
  await post(buyer, `/deals/pay/${deal.id}`);
  expect(await wallet(buyer)).toBe('100.00');
  await page.reload();
  await says(limits, '$2,700.00 left');
  await says(limits, '$300.00 of $3,000.00 used');
});
