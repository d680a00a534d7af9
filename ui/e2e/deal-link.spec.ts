import { expectAccessible, expectFits } from './support/checks';
import { paid } from './support/deals';
import { fund, idOf, type Person, post } from './support/people';
import { heading, hold, says, toast, unfold } from './support/screen';
import { expect, test } from './support/test';
import { button, counting, link, said, signUp, WORDS } from './support/walk';

/** The most interactions from the link to the first paid deal. */
const MOST = 9;

/** Approves the person's newest deposit. */
async function approve(admin: Person, person: Pick<Person, 'context' | 'id'>): Promise<void> {
  const answer = await person.context.request.get('/api/auth/deposit/history');
  const { deposits } = (await answer.json()) as { deposits: { _id: string; amount: number }[] };
  const [newest] = deposits;
  if (!newest) throw new Error('there is no deposit');
  await post(admin, `/admin/deposit/approve/${newest._id}`, { amount: newest.amount, userId: person.id });
}

/** Makes and copies a link for a buyer without an account. */
async function makeLink({ context, page }: Person): Promise<string> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/deal');
  await page.getByRole('button', { name: 'Create Deal' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Send a link/ }).click();
  await dialog.getByRole('radio', { name: /^Seller/ }).click();
  await dialog.getByLabel('Price').fill('25');
  await dialog.getByLabel('Description').fill('A cooking channel\nWith all 318 videos.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Get the link' }).click();
  await expect(page.getByRole('dialog', { name: 'Your link is ready' })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^Copy link/ }).click();
  const url = await page.evaluate(() => navigator.clipboard.readText());
  expect(url).toMatch(/\/d\/[2-9a-z]{10}$/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  return new URL(url).pathname;
}

for (const [language, tag] of [
  ['bn', []],
  ['en', ['@soak']],
] as const)
  test(`a link leads to the first paid deal, on a phone in ${language}`, { tag: [...tag] }, async ({ visit, seller, admin }) => {
    const words = WORDS[language];
    const path = await makeLink(seller);
    const { context, page } = await visit({ width: 360, height: 740, language });
    const walk = counting();
    const name = `${seller.name}-guest`;

    await test.step('A stranger reads the offer', async () => {
      await page.goto(path);
      await expect(heading(page, 'A cooking channel')).toBeVisible();
      await says(page, said(words.invite.sells, { name: seller.name }));
      await expectAccessible(page);
      await expectFits(page);
    });

    await test.step('They sign up and are back at the offer', async () => {
      await walk.tap('Sign up to join', link(page, words.invite.signup));
      await signUp(walk, page, words, name);
      await page.waitForURL(`**${path}`);
    });

    await test.step('They join, and the seller hears of it', async () => {
      await walk.tap('Join this deal', button(page, words.invite.join));
      await page.waitForURL('**/deal/*');
      await expect(toast(page, words.invite.joined)).toBeVisible();
      // The seller's page is open.
      await expect(seller.page.getByRole('region', { name: 'Waiting for someone to join' })).toHaveCount(0);
      await says(seller.page.getByRole('main'), name);
    });

    const deal = page.url();

    await test.step('They pay in what is missing', async () => {
      await walk.tap('Add $25.00', link(page, said(words.deals['act.deposit'], { sum: words.sum })));
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByLabel(words.wallet['deposit.amount'])).toHaveValue('25.00');
      const id = dialog.getByRole('textbox', { name: new RegExp(`^${words.wallet.transactionId}`) });
      await walk.type('Transaction ID', id, `TRX${Date.now().toString(36).slice(-7)}`);
      await walk.tap(
        'I have sent',
        dialog.getByRole('button', { name: new RegExp(said(words.wallet['deposit.sent'], { taka: '.+' })) }),
      );
      await expect(toast(page, words.wallet['deposit.done'])).toBeVisible();
      await page.waitForURL(deal);
      await approve(admin, { context, id: await idOf(context.request) });
    });

    await test.step('The deal takes the money', async () => {
      await hold(page, said(words.khata['holds.amanat'], { sum: words.sum }));
    });

    console.log(walk.table());
    expect(walk.count(), walk.table()).toBeLessThanOrEqual(MOST);
  });

for (const width of [360, 1280])
  test(`an offer is read in Bangla and in the dark at ${width} px`, { tag: '@soak' }, async ({ seller, visit }) => {
    const terms = { price: 25, description: 'A cooking channel', deliveryDuration: 7, buyerId: seller.id, invite: {} };
    const { code } = await post<{ code: string }>(seller, '/deals/create', terms);
    const { page } = await visit({ width, language: 'bn', theme: 'dark' });
    await page.goto(`/d/${code}`);
    await says(page, `${seller.name} আপনাকে টাকা দিতে চান`);
    await expectAccessible(page);
    await expectFits(page);
  });

test('a visitor on a phone sees on the public proof that the money was released', async ({ buyer, seller, admin, visit }) => {
  await fund(admin, buyer, 200);
  const deal = await paid(buyer, seller, { price: 200 });
  await buyer.page.goto(deal.path);
  const card = await unfold(buyer.page, 'Public proof');
  await card.getByRole('button', { name: 'Switch on' }).click();
  const address = await card.getByRole('link', { name: 'Open the page' }).getAttribute('href');
  await says(card, /^You switched it on/);
  await expectAccessible(buyer.page);

  const { page } = await visit({ width: 360, theme: 'dark' });
  await page.goto(address ?? '');
  await expect(heading(page, 'Held by Amanat')).toBeVisible();
  await says(page, '$200.00');
  await says(page, /\/held\/[2-9a-z]{10}$/);
  for (const name of [buyer.name, seller.name]) await expect(page.getByText(name)).toHaveCount(0);
  await expectAccessible(page);
  await expectFits(page);

  await post(buyer, `/deals/complete/${deal.id}`);
  await expect(heading(page, 'No longer held')).toBeVisible();
  await says(page, 'Completed');
  await expectAccessible(page);
});
