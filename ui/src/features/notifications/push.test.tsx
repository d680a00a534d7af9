import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PushDevice } from '@/api/contract';
import { renewPush } from '@/entities/notification/push';
import { PUSHES } from '@/lib/storage-owner';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { desk, PUBLIC_KEY, phone, settings } from './fixtures';

const ENDPOINT = 'https://push.example.com/send/3fA9xQ';
const KEYS = { p256dh: PUBLIC_KEY, auth: 'BTBZMqHH6r4Tts7J_aSIgg' };
const said = () => notices.map(({ kind, text }) => [kind, text]);

/** Fakes the parts of the Push API in use. */
function aBrowser(permission: NotificationPermission) {
  const subscription = {
    options: { applicationServerKey: new Uint8Array([4, ...Array<number>(64).fill(0)]).buffer },
    unsubscribe: vi.fn(() => Promise.resolve(true)),
    toJSON: () => ({ endpoint: ENDPOINT, keys: KEYS }),
  };
  const manager = {
    getSubscription: vi.fn((): Promise<typeof subscription | null> => Promise.resolve(null)),
    subscribe: vi.fn(() => Promise.resolve(subscription)),
  };
  const shown = { close: vi.fn() };
  const registration = { pushManager: manager, getNotifications: () => Promise.resolve([shown]) };
  const serviceWorker = { ready: Promise.resolve(registration), getRegistration: () => Promise.resolve(registration) };
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  vi.stubGlobal('PushManager', {});
  vi.stubGlobal('Notification', { permission: 'default', requestPermission: vi.fn(() => Promise.resolve(permission)) });
  return { manager, subscription, shown };
}

let subscribed: unknown[];

beforeEach(() => {
  subscribed = [];
  signedInAs(nusrat);
  server.use(
    http.get('*/api/notifications/settings', () => HttpResponse.json(settings)),
    http.post('*/api/push/subscriptions', async ({ request }) => {
      subscribed.push(await request.json());
      return HttpResponse.json({ device: desk }, { status: 201 });
    }),
  );
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

async function here() {
  const app = renderAt('/notifications');
  const section = within(await screen.findByRole('region', { name: 'Push notifications on this device' }));
  return { ...app, section };
}

describe('pushes of this device', () => {
  it('are turned on, tried and turned off', async () => {
    const { manager } = aBrowser('granted');
    const { user, section } = await here();
    await user.click(section.getByRole('button', { name: 'Turn on' }));
    await waitFor(() => expect(said()).toEqual([['success', 'This device gets push notifications.']]));
    expect(subscribed).toEqual([{ endpoint: ENDPOINT, keys: KEYS }]);
    expect(manager.subscribe).toHaveBeenCalledWith({
      userVisibleOnly: true,
      applicationServerKey: new Uint8Array([4, ...Array<number>(64).fill(0)]),
    });

    notices.length = 0;
    server.use(
      http.post('*/api/push/test', () =>
        HttpResponse.json({ message: 'A test notification is on its way.', outcome: 'push_test_sent' }),
      ),
    );
    await user.click(section.getByRole('button', { name: 'Send a test' }));
    await waitFor(() => expect(said()).toEqual([['success', 'A test notification is on its way.']]));

    server.use(
      http.delete(`*/api/push/subscriptions/${desk._id}`, () =>
        HttpResponse.json({ message: 'This browser gets no more notifications.', outcome: 'push_device_removed' }),
      ),
    );
    await user.click(section.getByRole('button', { name: 'Turn off' }));
    expect(await section.findByRole('button', { name: 'Turn on' })).toBeVisible();
    expect(localStorage.getItem(PUSHES)).toBeNull();
  });

  it('bound to another key of the server are made anew', async () => {
    const { manager, subscription } = aBrowser('granted');
    const old = { ...subscription, options: { applicationServerKey: new Uint8Array(65).buffer }, unsubscribe: vi.fn() };
    manager.getSubscription.mockResolvedValue(old);
    const { user, section } = await here();
    await user.click(section.getByRole('button', { name: 'Turn on' }));
    await waitFor(() => expect(subscribed).toHaveLength(1));
    expect(old.unsubscribe).toHaveBeenCalledOnce();
    expect(manager.subscribe).toHaveBeenCalledOnce();
  });

  it('that the user does not allow stay off, and the page says why', async () => {
    aBrowser('denied');
    const { user, section } = await here();
    await user.click(section.getByRole('button', { name: 'Turn on' }));
    const text = 'Your browser asks whether Amanat may send you notifications. Allow it to turn them on.';
    await waitFor(() => expect(said()).toEqual([['error', text]]));
    expect(subscribed).toEqual([]);
  });

  it('that the browser cannot have stay off, and the page says so', async () => {
    const { manager } = aBrowser('granted');
    manager.subscribe.mockRejectedValue(new DOMException('Registration failed'));
    const { user, section } = await here();
    await user.click(section.getByRole('button', { name: 'Turn on' }));
    const text = 'Your browser could not turn on push notifications. Try again later.';
    await waitFor(() => expect(said()).toEqual([['error', text]]));
  });

  it.each([
    ['denied', 'Your browser blocks notifications from Amanat. Allow them in its settings, then reload this page.'],
    [null, 'This browser has no push notifications. Open this page in a newer browser.'],
  ])('are out of reach: %s', async (permission, text) => {
    if (permission) {
      aBrowser('denied');
      vi.stubGlobal('Notification', { permission });
    }
    const { section } = await here();
    expect(await section.findByText(text)).toBeVisible();
    expect(section.queryByRole('button')).toBeNull();
  });

  it.each([
    ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X)'],
    ['an iPad, which says that it is a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.1 Safari/605.1.15'],
  ])('wait on %s until the site is installed', async (_device, agent) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent);
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { maxTouchPoints: 5 }));
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
    const { section } = await here();
    const text = 'On an iPhone or iPad, first add Amanat to your home screen, and turn them on there.';
    expect(await section.findByText(text)).toBeVisible();
    expect(section.queryByRole('button')).toBeNull();
    expect(screen.getByRole('region', { name: 'Amanat as an app' })).toHaveTextContent('Add to Home Screen');
  });

  it('come with the app that Safari has on the home screen, where nothing is to be installed', async () => {
    aBrowser('granted');
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { standalone: true }));
    const { section } = await here();
    expect(section.getByRole('button', { name: 'Turn on' })).toBeVisible();
    const app = screen.getByRole('region', { name: 'Amanat as an app' });
    expect(app).toHaveTextContent('You are using Amanat as an app.');
    expect(app).not.toHaveTextContent('Add to Home Screen');
  });

  it('are not offered where the server has none', async () => {
    aBrowser('granted');
    server.use(http.get('*/api/notifications/settings', () => HttpResponse.json({ ...settings, publicKey: null })));
    const { section } = await here();
    expect(await section.findByText('Push notifications are not available at the moment.')).toBeVisible();
  });
});

describe('a browser that shows pushes', () => {
  const AN_HOUR_AGO = Date.now() - 61 * 60_000;
  const mark = (owner: string, renewedAt: number, device = desk._id) =>
    localStorage.setItem(PUSHES, JSON.stringify({ owner, device, renewedAt }));
  const serverHas = (...devices: PushDevice[]) =>
    server.use(http.get('*/api/notifications/settings', () => HttpResponse.json({ ...settings, devices })));

  function subscribedBrowser() {
    const browser = aBrowser('granted');
    browser.manager.getSubscription.mockResolvedValue(browser.subscription);
    return browser;
  }

  it('says so again after an hour, under the present session', async () => {
    const { subscription } = subscribedBrowser();
    serverHas({ ...desk, current: false });
    mark(nusrat._id, Date.now() - 60_000);
    await renewPush(nusrat._id);
    expect(subscribed).toEqual([]);
    mark(nusrat._id, AN_HOUR_AGO);
    await renewPush(nusrat._id);
    expect(subscribed).toEqual([{ endpoint: ENDPOINT, keys: KEYS }]);
    expect(subscription.unsubscribe).not.toHaveBeenCalled();
    await renewPush(nusrat._id);
    expect(subscribed).toHaveLength(1);
  });

  it('goes on under the subscription that its service worker has made', async () => {
    subscribedBrowser();
    serverHas(desk);
    mark(nusrat._id, AN_HOUR_AGO, 'the one before');
    await renewPush(nusrat._id);
    expect(subscribed).toHaveLength(1);
  });

  it('shows none once it was removed from another one', async () => {
    const { subscription } = subscribedBrowser();
    serverHas(phone);
    mark(nusrat._id, AN_HOUR_AGO);
    await renewPush(nusrat._id);
    expect(subscription.unsubscribe).toHaveBeenCalledOnce();
    expect(subscribed).toEqual([]);
    expect(localStorage.getItem(PUSHES)).toBeNull();
  });

  it.each(['{"owner":"u-tanvir"}', 'null', '{'])('shows none to the next user: %s', async (stored) => {
    const { subscription, shown } = subscribedBrowser();
    localStorage.setItem(PUSHES, stored);
    await renewPush(nusrat._id);
    expect(subscription.unsubscribe).toHaveBeenCalledOnce();
    expect(shown.close).toHaveBeenCalledOnce();
    expect(subscribed).toEqual([]);
  });

  it('shows none after the logout, and those that it has shown are gone', async () => {
    const { subscription, shown } = subscribedBrowser();
    server.use(http.post('*/api/auth/logout', () => HttpResponse.json({ message: 'Logout successfully!' })));
    mark(nusrat._id, Date.now());
    const { user } = await here();
    await user.click(await screen.findByRole('button', { name: 'Profile menu' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
    await waitFor(() => expect(shown.close).toHaveBeenCalledOnce());
    expect(subscription.unsubscribe).toHaveBeenCalledOnce();
    expect(localStorage.getItem(PUSHES)).toBeNull();
  });
});

describe('the app', () => {
  it('is offered where the browser offers it, once', async () => {
    const inTab = { matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() };
    vi.stubGlobal('matchMedia', () => inTab);
    const prompt = vi.fn(() => Promise.resolve());
    window.installOffer = Object.assign(new Event('beforeinstallprompt'), { prompt });
    const { user } = await here();
    await user.click(screen.getByRole('button', { name: 'Install' }));
    expect(prompt).toHaveBeenCalledOnce();
    expect(screen.queryByRole('button', { name: 'Install' })).toBeNull();
  });
});
