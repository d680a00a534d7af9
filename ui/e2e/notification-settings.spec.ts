import type { Page } from '@playwright/test';
import { ready, test, workerOf } from './support/away';
import { expectAccessible, expectFits } from './support/checks';
import { withPushService } from './support/push-service';
import { heading, says, toast } from './support/screen';
import { expect } from './support/test';

const onThisDevice = (page: Page) => page.getByRole('region', { name: 'Push notifications on this device' });

test('the choices are found from the profile, saved and still there', async ({ buyer }) => {
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

for (const look of [
  { width: 360 },
  { width: 1280 },
  { width: 360, language: 'bn' },
  { width: 1280, theme: 'dark', language: 'bn' },
] as const) {
  test(`the page can be used by everybody: ${JSON.stringify(look)}`, async ({ newcomer }) => {
    const { page } = await newcomer('user', look);
    await page.goto('/notifications');
    await page.getByRole('checkbox', { name: /^(Quiet hours|নীরব সময়)$/ }).check();
    await expectAccessible(page);
    await expectFits(page);
  });
}

test('pushes are turned on and off in this browser, and end with the logout', async ({ reader }) => {
  const { page, context } = await reader({ width: 360 });
  await withPushService(context);
  await page.goto('/notifications');
  const here = onThisDevice(page);
  await here.getByRole('button', { name: 'Turn on' }).click();
  await expect(toast(page, 'This device gets push notifications.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your devices' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(toast(page, 'A test notification is on its way.')).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await here.getByRole('button', { name: 'Turn off' }).click();
  await says(page, 'None of your devices gets push notifications yet.');
  await here.getByRole('button', { name: 'Turn on' }).click();
  await expect(here.getByRole('button', { name: 'Turn off' })).toBeVisible();

  const subscribed = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return (await registration?.pushManager.getSubscription()) !== null;
    });
  expect(await subscribed()).toBe(true);
  await page.getByRole('button', { name: 'Profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(heading(page, 'Login')).toBeVisible();
  await expect.poll(subscribed).toBe(false);
});

test.describe('a browser without pushes', () => {
  test('that blocks notifications says how to allow them', async ({ reader }) => {
    const { page, context } = await reader();
    await withPushService(context, 'denied');
    await page.goto('/notifications');
    await says(onThisDevice(page), /^Your browser blocks notifications from Amanat\./);
    await expect(onThisDevice(page).getByRole('button')).toHaveCount(0);
    await expectAccessible(page);
  });

  test('that is too old is told so', async ({ reader }) => {
    const { page, context } = await reader();
    await context.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'));
    await page.goto('/notifications');
    await expect(onThisDevice(page)).toContainText('This browser has no push notifications.');
  });

  test('on an iPhone is to be installed first', async ({ reader }) => {
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Mobile/15E148 Safari/604.1';
    const { page, context } = await reader({ width: 360 }, { userAgent });
    await context.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'));
    await page.goto('/notifications');
    await says(onThisDevice(page), /^On an iPhone or iPad, first add Amanat to your home screen/);
    await says(page.getByRole('region', { name: 'Amanat as an app' }), /Add to Home Screen/);
    await expectAccessible(page);
  });
});

test('the offer to install the site is kept for the settings, and made once', async ({ reader }) => {
  const { page } = await reader();
  await page.goto('/dashboard');
  await page.evaluate(() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true });
    const prompt = () => {
      document.title = 'asked';
      return Promise.resolve();
    };
    dispatchEvent(Object.assign(offer, { prompt }));
    if (!offer.defaultPrevented) throw new Error('The browser makes its offer itself.');
  });
  await page.getByRole('button', { name: 'Profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.getByRole('link', { name: 'Notification settings' }).click();
  await page.getByRole('button', { name: 'Install' }).click();
  await expect(page).toHaveTitle('asked');
  await expect(page.getByRole('button', { name: 'Install' })).toHaveCount(0);
});

test('a push is shown by the service worker', async ({ reader }) => {
  const { page, context } = await reader();
  const session = await context.newCDPSession(page);
  const registrations: { registrationId: string; scopeURL: string; isDeleted: boolean }[] = [];
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: known }) => registrations.push(...known));
  await session.send('ServiceWorker.enable');
  await page.goto('/dashboard');
  await ready(page);
  const worker = workerOf(context);
  // A headless browser shows no notifications.
  await worker.evaluate(() => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration; shown: unknown[] };
    scope.shown = [];
    scope.registration.showNotification = (...notification) => {
      scope.shown.push(notification);
      return Promise.resolve();
    };
  });
  const { origin } = new URL(page.url());
  await expect.poll(() => registrations.length).toBeGreaterThan(0);
  const { registrationId = '' } = registrations.at(-1) ?? {};
  const data = JSON.stringify({ title: 'Your deals', body: 'There is news.', link: '/deal', tag: 'deals', lang: 'en' });
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  const shown = () => worker.evaluate(() => (globalThis as unknown as { shown: unknown[] }).shown);
  await expect
    .poll(shown)
    .toEqual([['Your deals', expect.objectContaining({ body: 'There is news.', tag: 'deals', data: { link: '/deal' } })]]);
});
