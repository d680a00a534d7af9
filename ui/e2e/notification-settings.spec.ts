import type { Page } from '@playwright/test';
import { ready, test, workerOf } from './support/away';
import { expectAccessible, expectFits } from './support/checks';
import { logOut } from './support/people';
import { withPushService } from './support/push-service';
import { says, toast } from './support/screen';
import { expect } from './support/test';

/** Saves the settings, and finds them again after a reload. */
async function choose(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Money: Email' }).uncheck();
  await page.getByRole('checkbox', { name: 'Messages: Push' }).uncheck();
  await page.getByRole('checkbox', { name: 'Quiet hours' }).check();
  await page.getByLabel('From').fill('23:30');
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Your choices are saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'Money: Email' })).not.toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Messages: Push' })).not.toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Deals: Email' })).toBeChecked();
  await expect(page.getByLabel('From')).toHaveValue('23:30');
  await expect(page.getByLabel('Until')).toHaveValue('07:00');
}

/** Turns pushes on, tests them, and turns them off and on again. */
async function turnOnAndOff(page: Page): Promise<void> {
  const here = page.getByRole('region', { name: 'Push notifications on this device' });
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
}

/** Pushes to the page's service worker, and waits for the notification. */
async function receive(page: Page): Promise<void> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  const registrations: { registrationId: string; scopeURL: string; isDeleted: boolean }[] = [];
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: known }) => registrations.push(...known));
  await session.send('ServiceWorker.enable');
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
}

test('one chooses what to hear of, gets pushes in this browser, and none after the logout', async ({ reader }) => {
  const person = await reader({ width: 360 });
  const { page, context } = person;
  await withPushService(context);
  await page.goto('/notifications');

  await test.step('The choices are kept', () => choose(page));

  await test.step('Pushes are turned on and off', () => turnOnAndOff(page));

  await test.step('A push is shown by the service worker', () => receive(page));

  const subscribed = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return (await registration?.pushManager.getSubscription()) !== null;
    });
  expect(await subscribed()).toBe(true);
  await logOut(person);
  await expect.poll(subscribed).toBe(false);
});

test('the offer to install the site is kept for the settings, and made once', { tag: '@soak' }, async ({ reader }) => {
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
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Notifications' }).click();
  await page.getByRole('button', { name: 'Install' }).click();
  await expect(page).toHaveTitle('asked');
  await expect(page.getByRole('button', { name: 'Install' })).toHaveCount(0);
});
