import type { BrowserContext, Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/checks';
import { BROKEN_CALLS, CUT, provoke } from './support/faults';
import { type Access, addresses, type Route, routesFor } from './support/routes';
import { follow, heading, postTitles } from './support/screen';
import { expect, test } from './support/test';

type Screen = { path: string; who: 'buyer' | 'admin' /** What is there when all is well. */; whole: (page: Page) => Locator };

const SCREENS: Screen[] = [
  { path: '/dashboard', who: 'buyer', whole: (page) => page.getByText('Your balance') },
  { path: '/deal', who: 'buyer', whole: (page) => heading(page, 'Manage Deals') },
  { path: '/explore', who: 'buyer', whole: postTitles },
  { path: '/inbox', who: 'buyer', whole: (page) => page.getByRole('navigation', { name: 'Conversations' }).getByRole('link') },
  { path: '/balance', who: 'buyer', whole: (page) => page.getByRole('status', { name: 'Your balance' }) },
  { path: '/admin/deals', who: 'admin', whole: (page) => page.getByRole('main').getByRole('cell') },
  { path: '/admin/support-requests', who: 'admin', whole: (page) => page.getByRole('link', { name: 'buyer' }) },
];

/** Responses of a broken server or line; the session is known, everything else fails. */
const GONE = 'a server that is gone';
const BREAKS = {
  [GONE]: (context: BrowserContext) => {
    provoke(context, CUT);
    return context.route('**/api/**', (route) => route.abort());
  },
  'a proxy without a server': (context: BrowserContext) =>
    context.route('**/api/**', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })),
};

const retries = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Retry' }).filter({ visible: true });

/** The page shows a text and Retry, never nothing and never a foreign page's markup. */
async function expectRetry(page: Page): Promise<void> {
  await expect(retries(page).first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByText('Bad Gateway')).toHaveCount(0);
}

/** Presses each Retry once, until everything is loaded. */
async function retry(page: Page): Promise<void> {
  for (let left = await retries(page).count(); left > 0; left = await retries(page).count()) {
    await retries(page).first().click();
    await expect.poll(() => retries(page).count()).toBeLessThan(left);
  }
}

const expectArrival = ({ whole }: Screen, page: Page) => expect(whole(page).filter({ visible: true }).first()).toBeVisible();

/** Opens all screens of a user at once, each in a tab. */
const openAll = (context: BrowserContext, who: Screen['who']): Promise<[Screen, Page][]> =>
  Promise.all(
    SCREENS.filter((screen) => screen.who === who).map(async (screen): Promise<[Screen, Page]> => {
      const page = await context.newPage();
      await page.goto(screen.path);
      return [screen, page];
    }),
  );

for (const [what, breakIt] of Object.entries(BREAKS))
  for (const [who, tag] of [
    ['buyer', what === GONE ? [] : ['@soak']],
    ['admin', ['@soak']],
  ] as const) {
    test(`with ${what}, every screen of ${who} says so, and Retry brings it`, { tag: [...tag] }, async ({ signedIn }) => {
      const { context } = await signedIn(who);
      provoke(context, ...BROKEN_CALLS);
      await breakIt(context);
      // The line broke after the session check.
      await context.route('**/api/auth/check', (route) => route.continue());
      const open = await openAll(context, who);
      for (const [, page] of open) await expectRetry(page);
      await context.unrouteAll();
      for (const [screen, page] of open) {
        await expectAccessible(page);
        await retry(page);
        await expectArrival(screen, page);
      }
    });
  }

/** Complete without the API, or with their own text and a way on. */
const NEED_NOTHING: Route[] = [
  ...(['/aboutus', '/contactus', '/forgot-password', '/ourleaders', '/papers', '/privacy', '/reportabug'] as const),
  ...(['/confirm-withdrawal', '/not-me', '/not-my-factor', '/confirm-email', '/undo-email', '/appeal'] as const),
  ...(['/reset-password', '/terms', '/unsubscribe', '/verify-email', '/$', '/posts/create', '/support', '/admin/chat'] as const),
  // Dialogs over /balance.
  ...(['/deposit', '/withdraw'] as const),
  // These redirect.
  ...(['/deals', '/deal/$dealId', '/admin', '/balance/statement'] as const),
];

const EVERY_SCREEN: [Screen['who'], Access[]][] = [
  ['buyer', ['everybody', 'users']],
  ['admin', ['admins']],
];

for (const [who, access] of EVERY_SCREEN) {
  test(`with a server that fails, no screen that ${who} may see is blank: each says so and offers Retry`, async ({
    signedIn,
  }) => {
    const TABS = 4;
    const { context } = await signedIn(who);
    // A failure cancels the page's other requests.
    provoke(context, ...BROKEN_CALLS, /CancelledError/);
    const routes = routesFor(...access).filter((route) => !NEED_NOTHING.includes(route));
    const screens = (await Promise.all(routes.map((route) => addresses(route, context)))).map(([first]) => first ?? '');
    expect(screens).not.toContain('');
    const failure = { status: 500, json: { message: 'Something went wrong', code: 'internal' } };
    await context.route('**/api/**', (route) => route.fulfill(failure));
    await context.route('**/api/auth/check', (route) => route.continue());
    const silent: string[] = [];
    const visitAll = async (mine: string[]) => {
      const page = await context.newPage();
      await page.goto('/terms');
      await expect(heading(page, 'Terms')).toBeVisible();
      for (const address of mine) {
        await follow(page, address);
        await expectRetry(page).catch(() => silent.push(address));
      }
    };
    await Promise.all(Array.from({ length: TABS }, (_, tab) => visitAll(screens.filter((_, place) => place % TABS === tab))));
    expect(silent).toEqual([]);
  });
}

for (const who of ['buyer', 'admin'] as const) {
  test(`on a slow line, every screen of ${who} shows what is coming, then brings it`, { tag: '@soak' }, async ({ signedIn }) => {
    const { context } = await signedIn(who);
    let arrive: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await context.route('**/api/**', async (route) => {
      if (!route.request().url().includes('/auth/check')) await slow;
      await route.continue();
    });
    const open = await openAll(context, who);
    for (const [{ path }, page] of open) {
      await expect(page.locator('[data-slot="skeleton"]').filter({ visible: true }).first()).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1);
      await expect(page.getByRole('banner')).toBeVisible();
    }
    arrive();
    for (const [screen, page] of open) {
      await expectArrival(screen, page);
      await expect(page.locator('[data-slot="skeleton"]').first()).toHaveCount(0);
    }
  });
}
