import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { offer } from './support/deals';
import { CUT, provoke } from './support/faults';
import { fund, idOf, type Person, signUp } from './support/people';
import { heading, says, toast } from './support/screen';
import { test as base, expect, type Look } from './support/test';

/** People whose browser has the service worker of the site. */
const test = base.extend<{ reader: (look?: Look) => Promise<Person> }>({
  reader: ({ visit }, use) =>
    use(async (look) => {
      const visitor = await visit(look, { serviceWorkers: 'allow', permissions: ['notifications'] });
      const name = await signUp(visitor.context.request, 'reader');
      return { ...visitor, name, id: await idOf(visitor.context.request) };
    }),
});

const NO_SOCKET = /WebSocket connection to .* failed/;

/** The site is ready to be opened without a network. */
async function ready(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration?.active?.state === 'activated' && navigator.serviceWorker.controller !== null;
  });
}

async function cut(context: BrowserContext): Promise<void> {
  provoke(context, CUT, NO_SOCKET);
  await context.setOffline(true);
}

/** What the device has of the balance and the deals. */
const kept = (page: Page) => page.evaluate(() => localStorage.getItem('last-seen'));

test.describe('without a network', () => {
  test('one sees what one saw last, and comes back to the page', async ({ reader, seller, admin }) => {
    const buyer = await reader({ width: 360 });
    const { page, context } = buyer;
    await fund(admin, buyer, 500);
    await offer(buyer, seller, { price: 480, description: 'Ranna Ghor 24' });
    await page.goto('/dashboard');
    await ready(page);
    await expect.poll(() => kept(page)).toContain('Ranna Ghor 24');

    await cut(context);
    await page.goto('/balance');
    await expect(heading(page, 'You are offline')).toBeVisible();
    await says(page, 'This is what you saw last. It may have changed since.');
    await says(page, '$500.00');
    await says(page, 'Ranna Ghor 24');
    await expect(page.getByText(/^As of /)).toHaveCount(2);
    await expect(page.getByRole('button', { name: 'Deposit' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Withdraw' })).toBeDisabled();
    await expectAccessible(page);
    await expectFits(page);

    await context.setOffline(false);
    await expect(heading(page, 'Your balance')).toBeVisible();
  });

  test('the page is in Bangla, too, and dark', async ({ reader }) => {
    const { page, context } = await reader({ language: 'bn', theme: 'dark' });
    await page.goto('/dashboard');
    await ready(page);
    await expect.poll(() => kept(page)).toContain('"deals"');
    await cut(context);
    await page.goto('/deal');
    await expect(heading(page, 'আপনি অফলাইনে আছেন')).toBeVisible();
    await says(page, 'কোনো চলমান ডিল নেই');
    await expectAccessible(page);
  });

  test('nothing is seen of somebody who has logged out', async ({ reader }) => {
    const { page, context } = await reader();
    await page.goto('/dashboard');
    await ready(page);
    await expect.poll(() => kept(page)).toContain('"deals"');
    await page.getByRole('button', { name: 'Profile menu' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(heading(page, 'Login')).toBeVisible();
    expect(await kept(page)).toBeNull();
    await cut(context);
    await page.goto('/dashboard');
    await says(page, 'Nothing is saved on this device to look at meanwhile.');
    await expect(page.getByText('$')).toHaveCount(0);
  });

  test('answers of the API are never kept', async ({ reader }) => {
    const { page, context } = await reader();
    await page.goto('/dashboard');
    await ready(page);
    await page.reload();
    await expect(heading(page, /./)).toBeVisible();
    await cut(context);
    expect(await page.evaluate(() => fetch('/api/wallet').then(String, () => 'failed'))).toBe('failed');
    const paths = await page.evaluate(async () => {
      const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
      const kept = await Promise.all(caches.map((cache) => cache.keys()));
      return kept.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(paths).toContain('/offline.html');
    expect(paths.filter((path) => path.startsWith('/api/'))).toEqual([]);
  });
});

/** Gives the browser a push service: the one of a headless browser is out of reach. The keys are of the form that the server checks. */
const withPushService = (context: BrowserContext) =>
  context.addInitScript(() => {
    const base64url = (bytes: ArrayBuffer | Uint8Array) =>
      btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
    let subscription: object | null = null;
    PushManager.prototype.getSubscription = () => Promise.resolve(subscription as PushSubscription | null);
    PushManager.prototype.subscribe = async (options) => {
      const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
      const p256dh = base64url(await crypto.subtle.exportKey('raw', pair.publicKey));
      const auth = base64url(crypto.getRandomValues(new Uint8Array(16)));
      const endpoint = `https://push.example.com/send/${auth}`;
      subscription = {
        ...{ endpoint, options, unsubscribe: () => Promise.resolve(true) },
        toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      };
      return subscription as PushSubscription;
    };
  });

test.describe('the settings of notifications', () => {
  test('are found from the profile, saved and still there', async ({ buyer }) => {
    const { page } = buyer;
    await page.goto('/profile');
    await page.getByRole('link', { name: 'Notification settings' }).click();
    await expect(heading(page, 'Notifications')).toBeVisible();
    await page.getByRole('checkbox', { name: 'Money: Email' }).uncheck();
    await page.getByRole('checkbox', { name: 'Messages: Push' }).uncheck();
    await page.getByRole('checkbox', { name: 'Quiet hours' }).check();
    await page.getByLabel('From').fill('23:30');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(toast(page, 'Your choices are saved.')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('checkbox', { name: 'Money: Email' })).not.toBeChecked();
    await expect(page.getByRole('checkbox', { name: 'Messages: Push' })).not.toBeChecked();
    await expect(page.getByRole('checkbox', { name: 'Deals: Email' })).toBeChecked();
    await expect(page.getByLabel('From')).toHaveValue('23:30');
    await expect(page.getByLabel('Until')).toHaveValue('07:00');
  });

  for (const look of [{ width: 360 }, { width: 1280, theme: 'dark', language: 'bn' }] as const) {
    test(`can be used by everybody: ${look.width}`, async ({ newcomer }) => {
      const { page } = await newcomer('user', look);
      await page.goto('/notifications');
      await page.getByRole('checkbox', { name: /^(Quiet hours|নীরব সময়)$/ }).check();
      await expectAccessible(page);
      await expectFits(page);
    });
  }

  test('turn pushes on and off in this browser', async ({ reader }) => {
    const { page, context } = await reader({ width: 360 });
    await withPushService(context);
    await page.goto('/notifications');
    const here = page.getByRole('region', { name: 'Push notifications on this device' });
    await here.getByRole('button', { name: 'Turn on' }).click();
    await expect(toast(page, 'This device gets push notifications.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Your devices' }).getByRole('listitem')).toHaveCount(1);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await expect(toast(page, 'A test notification is on its way.')).toBeVisible();
    await expectAccessible(page);
    await here.getByRole('button', { name: 'Turn off' }).click();
    await expect(here.getByRole('button', { name: 'Turn on' })).toBeVisible();
    await says(page, 'None of your devices gets push notifications yet.');
  });
});

test('a push is shown by the browser while no page of the site is open', async ({ reader }) => {
  const { page, context } = await reader();
  const session = await context.newCDPSession(page);
  const registrations: { registrationId: string; scopeURL: string; isDeleted: boolean }[] = [];
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: known }) => registrations.push(...known));
  await session.send('ServiceWorker.enable');
  await page.goto('/dashboard');
  await ready(page);
  const { origin } = new URL(page.url());
  await expect.poll(() => registrations.length).toBeGreaterThan(0);
  const { registrationId = '' } = registrations.at(-1) ?? {};
  const data = JSON.stringify({ title: 'Your deals', body: 'There is news.', link: '/deal', tag: 'deals', lang: 'en' });
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body, tag }) => [title, body, tag]);
    });
  await expect.poll(shown).toEqual([['Your deals', 'There is news.', 'deals']]);
});
